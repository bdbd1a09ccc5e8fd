// What must become of drafts: pages with two fields and the drafts of one agent for them, without a database. Each
// operation says how it is answered, and leaves the state that the server must be in.

type Fields = { title?: string; body?: string }

type ModelPage = { id: string; title: string; body: string; version: number; before: Fields | null }

export type ModelDraft = {
  id: string
  page: string
  status: 'pending' | 'approved' | 'rejected' | 'retracted' | 'superseded'
  payload: Fields
  base: number
  /** The values that it names as left out. */
  drops: string[]
}

export type Model = { pages: Map<string, ModelPage>; drafts: Map<string, ModelDraft> }

export type Operation =
  | { type: 'save'; page: string; fields: Fields }
  | { type: 'propose'; page: string; fields: Fields }
  | { type: 'undo'; page: string }
  | { type: 'revise'; draft: string; fields: Fields }
  | { type: 'approve' | 'approve_title' | 'reject' | 'retract'; draft: string }

/** The status of the answer, and for a new draft its payload and what it names as left out. */
export type Expected = { status: number; payload?: Fields; drops?: string[]; apply: (newId: string) => void }

const nothing = () => {}
const fieldNames = (fields: Fields) => Object.keys(fields).toSorted() as (keyof Fields)[]

export function expect({ pages, drafts }: Model, operation: Operation): Expected {
  if ('page' in operation) {
    const page = pages.get(operation.page)!
    if (operation.type === 'undo') return { status: 200, apply: () => write(page, page.before!) }
    if (operation.type === 'save') return { status: 200, apply: () => write(page, operation.fields) }
    return propose(page, operation.fields, pendingOf(page), null)
  }
  const draft = drafts.get(operation.draft)!
  const page = pages.get(draft.page)!
  const isStale = draft.base !== page.version
  const decided = { status: 409, apply: nothing }
  switch (operation.type) {
    case 'revise':
      if (draft.status !== 'pending' || isStale) return decided
      return propose(page, { ...draft.payload, ...operation.fields }, draft, draft)
    case 'approve':
      if (draft.status === 'approved' && fieldNames(draft.payload).length > 0)
        return { status: 200, apply: nothing }
      if (draft.status !== 'pending' || isStale) return decided
      return {
        status: 200,
        apply() {
          write(page, draft.payload)
          draft.status = 'approved'
        },
      }
    case 'approve_title':
      return approveTitle(page, draft)
    case 'reject':
      if (draft.status === 'rejected') return { status: 200, apply: nothing }
      return draft.status === 'pending' ? closed(draft, 'rejected') : decided
    case 'retract':
      if (draft.status === 'retracted') return { status: 200, apply: nothing }
      return draft.status === 'pending' ? closed(draft, 'retracted') : decided
  }

  function pendingOf({ id }: ModelPage): ModelDraft | null {
    return [...drafts.values()].find((one) => one.page === id && one.status === 'pending') ?? null
  }

  function propose(
    page: ModelPage,
    fields: Fields,
    older: ModelDraft | null,
    named: ModelDraft | null,
  ): Expected {
    const replaced = named ? [] : Object.values(older?.payload ?? {})
    const drops = [...(older?.drops ?? []), ...replaced].toSorted()
    return {
      status: 202,
      payload: fields,
      drops,
      apply(id) {
        if (older) older.status = 'superseded'
        drafts.set(id, { id, page: page.id, status: 'pending', payload: fields, base: page.version, drops })
      },
    }
  }

  function approveTitle(page: ModelPage, draft: ModelDraft): Expected {
    const { title, body } = draft.payload
    if (
      draft.status !== 'pending' ||
      draft.base !== page.version ||
      title === undefined ||
      body === undefined
    )
      throw new Error('only a pending draft with both fields is approved in part')
    return {
      status: 200,
      apply(id) {
        write(page, { title })
        draft.status = 'approved'
        draft.payload = {}
        drafts.set(id, {
          id,
          page: page.id,
          status: 'pending',
          payload: { body },
          base: page.version,
          drops: draft.drops,
        })
      },
    }
  }
}

function closed(draft: ModelDraft, status: ModelDraft['status']): Expected {
  return {
    status: 200,
    apply() {
      draft.status = status
    },
  }
}

function write(page: ModelPage, fields: Fields): void {
  page.before = Object.fromEntries(fieldNames(fields).map((name) => [name, page[name]]))
  Object.assign(page, fields)
  page.version += 1
}
