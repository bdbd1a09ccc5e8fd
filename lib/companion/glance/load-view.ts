// What is looked at, as text with the threads of mail that it shows. Where it shows none there is nothing to say.

import { createHash } from 'node:crypto'
import type { GlanceImage, GlanceView } from '../../contract/companion/glance.ts'
import { textOf, titleOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createGlanceMailRepo, type LatestThread } from '../../db/repos/glance_mail.ts'
import { createGlanceSettingsRepo } from '../../db/repos/glances.ts'
import { createTasksRepo } from '../../db/repos/home.ts'
import { createMailAccountsRepo } from '../../db/repos/mail_accounts.ts'
import { createMailMessagesRepo } from '../../db/repos/mail_messages.ts'
import type { JudgedThread } from './rules/judge-thread.ts'
import { readSubject, type StoredThread } from './rules/match-thread.ts'

export type Seen = {
  /** Names what was seen, in the state that it was in. */
  key: string
  title: string
  /** What the triage reads; of a picture nothing. */
  text: string
  image: GlanceImage | null
  /** The thread that is open. */
  thread: LoadedThread | null
  /** Threads that it shows; `null`: only a model can tell. */
  onScreen: readonly StoredThread[] | null
}

/** Characters of what is open, and threads that are looked for in it. */
const maxText = 6000

const maxThreads = 200

const maxListed = 30

type LoadViewDeps = { database: Queryable; kinds: Kinds }

/** `null`: there is no such thing in the Space, or nothing is open. */
export async function loadView(
  { database, kinds }: LoadViewDeps,
  spaceId: string,
  { view, image }: { view: GlanceView | null; image: GlanceImage | null },
): Promise<Seen | null> {
  if (image) {
    const key = `image:${createHash('sha256').update(image.data).digest('hex')}`
    return { key, title: 'A window', text: '', image, thread: null, onScreen: null }
  }
  if (!view) return null
  if ('list' in view) return await loadList(database, spaceId, view.list)
  const { entityType, entityId } = view
  if (entityType === 'mail_thread' || entityType === 'mail_message') {
    const thread = await loadThread(database, spaceId, entityId)
    return thread && ofThread(thread)
  }
  const kind = kinds.find(entityType)
  const row = kind && (await createEntitiesRepo(database).find(kind, spaceId, entityId))
  if (!row) return null
  const text = `${titleOf(row)}\n\n${textOf(row[kind.bodyField])}`
  return await ofText(database, spaceId, {
    name: `${entityType}:${entityId}:${row.version}`,
    title: titleOf(row),
    text,
  })
}

function ofThread(thread: LoadedThread): Seen {
  const { id, base_subject, messages, title, state } = thread
  const senders = messages.filter(({ direction }) => direction === 'received').map(({ from }) => from)
  const latest = messages.slice(-3).map(({ from, to, subject, sent_at, text }) =>
    [
      `From: ${from.name} <${from.address}>`,
      `To: ${to
        .slice(0, 10)
        .map(({ name, address }) => `${name} <${address}>`)
        .join(', ')}`,
      `Subject: ${subject}`,
      `Date: ${sent_at}`,
      '',
      text.slice(0, maxText / 3).toWellFormed(),
    ].join('\n'),
  )
  return {
    key: `mail_thread:${state}`,
    title,
    text: latest.join('\n\n'),
    image: null,
    thread,
    onScreen: [{ id, base_subject, senders }],
  }
}

async function loadList(db: Queryable, spaceId: string, list: 'mail' | 'tasks'): Promise<Seen> {
  if (list === 'mail') {
    const threads = await createGlanceMailRepo(db).listLatest(spaceId, maxListed)
    const lines = threads.map(
      ({ title, senders, last_message_at }) =>
        `${title} | ${senders.map(({ name, address }) => `${name} <${address}>`).join(', ')} | ${last_message_at}`,
    )
    return {
      key: keyOf('list:mail', threads),
      title: 'Mail',
      text: lines.join('\n').slice(0, maxText).toWellFormed(),
      image: null,
      thread: null,
      onScreen: threads,
    }
  }
  const all = {
    space_id: spaceId,
    project_id: null,
    priority: null,
    due_from: null,
    due_to: null,
    undated: false,
  }
  const tasks = await createTasksRepo(db).listByStatus(all, 'open', maxListed)
  const text = tasks.map(({ title, due_on }) => `${title}${due_on ? ` (due ${due_on})` : ''}`).join('\n')
  const versions = tasks.map(({ id, version }) => `${id}${version}`).join()
  return await ofText(db, spaceId, { name: `list:tasks:${hashOf(versions)}`, title: 'Tasks', text })
}

type Text = { name: string; title: string; text: string }

async function ofText(db: Queryable, spaceId: string, { name, title, text }: Text): Promise<Seen> {
  const read = text.slice(0, maxText).toWellFormed()
  const words = read.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ')
  const threads = await createGlanceMailRepo(db).listLatest(spaceId, maxThreads)
  const onScreen = threads.filter((thread) => isNamedIn(words, thread))
  return {
    key: keyOf(name, onScreen),
    title: title.slice(0, 500).toWellFormed(),
    text: read,
    image: null,
    thread: null,
    onScreen,
  }
}

/** A subject of one short word is in many texts. */
const minSubject = 6

/** Whether a text has both the subject and a sender. */
function isNamedIn(words: string, { base_subject, senders }: LatestThread): boolean {
  const { subject } = readSubject(base_subject)
  if (subject.length < minSubject || !words.includes(subject)) return false
  return senders.some(({ name, address }) =>
    [name, address].some((one) => one.length > 2 && words.includes(one.normalize('NFKC').toLowerCase())),
  )
}

const keyOf = (name: string, threads: readonly LatestThread[]): string =>
  `${name}:${hashOf(threads.map(({ id, messages, last_message_at }) => `${id}${messages}${last_message_at}`).join())}`

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** Messages of a thread that are looked at, the latest, and characters of them. */
const maxMessages = 50

const maxThreadText = 200_000

export type LoadedThread = JudgedThread & {
  title: string
  /** Names this state of it. */
  state: string
}

/** A thread by its id, or by that of one of its messages, with what its gates go by; `null` when it is not in the Space. */
export async function loadThread(db: Queryable, spaceId: string, id: string): Promise<LoadedThread | null> {
  const mail = createGlanceMailRepo(db)
  const thread = await mail.find(spaceId, id)
  if (!thread) return null
  const settings = createGlanceSettingsRepo(db)
  const [messages, own, alike, hasDraft, addresses, mutes] = await Promise.all([
    createMailMessagesRepo(db).listOfThread(thread.id, maxMessages, maxThreadText),
    createMailAccountsRepo(db).ownAddresses(spaceId),
    mail.listAlike(spaceId, thread.base_subject),
    mail.hasDraft(spaceId, thread.id),
    mail.addressesOf(spaceId, thread.id, maxMessages),
    settings.listMutes(spaceId),
  ])
  return {
    ...thread,
    state: `${thread.id}:${thread.messages}:${thread.last_message_at}`,
    messages,
    own,
    alike,
    hasDraft,
    mutes,
    addressesByName: Map.groupBy(addresses, ({ name }) => name),
  }
}
