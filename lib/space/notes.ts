// Templates and the daily note. A template is a page below the page named in the settings; a daily note is the page
// whose title is its day. Without settings, it goes where the Space has such pages already.

import { pageOfFolder } from '../content/writes/free-path.ts'
import type { Writer } from '../content/writes/write.ts'
import { type EntityRow, textOf } from '../contract/entities/kind.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import { defaultNoteSettings, type NoteSettings } from '../contract/space/notes.ts'
import type { Actor } from '../core/actor.ts'
import { invalid } from '../core/errors.ts'
import { cleanLine } from '../core/text/clean.ts'
import { fillTemplate, formatMoment, type Moment } from '../core/text/dates/format-moment.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { createAuditRepo } from '../db/repos/audit.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createNoteSettingsRepo } from '../db/repos/spaces.ts'

const maxTemplates = 200

export const loadNoteSettings = async (db: Queryable, spaceId: string): Promise<NoteSettings> =>
  (await createNoteSettingsRepo(db).find(spaceId)) ?? defaultNoteSettings

/** Throws a 400 `AppError` for a title that is empty after cleaning. */
export async function changeNoteSettings(
  db: Database,
  spaceId: string,
  changes: { [Name in keyof NoteSettings]?: NoteSettings[Name] | undefined },
): Promise<NoteSettings> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  return await db.transaction(async (tx) => {
    const settings = { ...(await loadNoteSettings(tx, spaceId)), ...given }
    titleOf(settings, { day: '2000-01-01', time: '00:00' })
    await createNoteSettingsRepo(tx).save(spaceId, settings)
    return settings
  })
}

export async function listTemplates(db: Queryable, spaceId: string) {
  const { templates_page } = await loadNoteSettings(db, spaceId)
  return await createNoteSettingsRepo(db).listBelowTitled(spaceId, templates_page, maxTemplates)
}

type DailyDeps = { database: Database; kinds: Kinds; writer: Writer }

/**
 * A day's page, created from the template if there is none yet. Concurrent calls create one page: each looks for it
 * again while holding the lock of the audit chain.
 */
export async function openDailyNote(
  { database, kinds, writer }: DailyDeps,
  actor: Actor,
  { spaceId, moment }: { spaceId: string; moment: Moment },
): Promise<{ page: EntityRow; created: boolean }> {
  return await database.transaction(async (tx) => {
    await createAuditRepo(tx).lock()
    const settings = await loadNoteSettings(tx, spaceId)
    const create = async (fields: Record<string, unknown>) =>
      await writer.write(tx, { action: 'create', type: 'page', space_id: spaceId, fields }, { actor })
    const title = titleOf(settings, moment)
    const place = await findPlace(tx, spaceId, settings, moment)
    const id = await findNote(tx, { spaceId, title, place })
    const page = id && (await createEntitiesRepo(tx).find(kinds.get('page'), spaceId, id))
    if (page) return { page, created: false }

    const body = fillTemplate(await readTemplate(tx, { kinds, spaceId, settings }), { ...moment, title })
    let parent_id = place.parent
    for (const name of place.missing) parent_id = (await create({ title: name, parent_id })).id
    return { page: await create({ title, body, parent_id }), created: true }
  })
}

/** Where a daily note is or goes. `missing`: the pages that are to be made below `parent`, outermost first. */
type Place = { parent: string | null; missing: string[]; isByFolders: boolean }

async function findPlace(
  tx: Queryable,
  spaceId: string,
  settings: NoteSettings,
  moment: Moment,
): Promise<Place> {
  const notes = createNoteSettingsRepo(tx)
  const folders = segmentsOf(settings, moment).slice(0, -1)
  const isByFolders = folders.length > 0
  const { daily_parent } = settings
  const named =
    daily_parent &&
    ((await pageOfFolder(tx, spaceId, `${daily_parent}/`)) ??
      (await notes.findTitled(spaceId, daily_parent, null)))
  if (daily_parent && !named) {
    const used = (await notes.find(spaceId)) === null ? await notes.findDatedParent(spaceId) : null
    if (used) return { parent: used.parent_id, missing: [], isByFolders }
    return { parent: null, missing: [...daily_parent.split('/'), ...folders], isByFolders }
  }
  let parent = named || null
  for (const [index, name] of folders.entries()) {
    const below = await notes.findBelow(spaceId, name, parent)
    if (below === null) return { parent, missing: folders.slice(index), isByFolders }
    parent = below
  }
  return { parent, missing: [], isByFolders }
}

/** A pattern without folders names its page wherever that is. */
async function findNote(
  tx: Queryable,
  { spaceId, title, place }: { spaceId: string; title: string; place: Place },
): Promise<string | null> {
  const notes = createNoteSettingsRepo(tx)
  if (!place.isByFolders) return await notes.findTitled(spaceId, title, place.parent)
  return place.missing.length > 0 ? null : await notes.findBelow(spaceId, title, place.parent)
}

/** The template's text; empty without one. */
async function readTemplate(
  tx: Queryable,
  { kinds, spaceId, settings }: { kinds: Kinds; spaceId: string; settings: NoteSettings },
): Promise<string> {
  if (settings.daily_template === '') return ''
  const templates = await createNoteSettingsRepo(tx).listBelowTitled(
    spaceId,
    settings.templates_page,
    maxTemplates,
  )
  const wanted = settings.daily_template.toLowerCase()
  const template = templates.find(({ title }) => title.toLowerCase() === wanted)
  if (!template) return ''
  const kind = kinds.get('page')
  const page = await createEntitiesRepo(tx).find(kind, spaceId, template.id)
  return textOf(page?.[kind.bodyField])
}

function titleOf(settings: NoteSettings, moment: Moment): string {
  const title = segmentsOf(settings, moment).at(-1)
  if (!title) throw invalid(`daily_title: “${settings.daily_title}” results in an empty title.`)
  return title
}

/** The names that the pattern gives to the pages above a note, and to itself. */
const segmentsOf = ({ daily_title }: NoteSettings, moment: Moment): string[] =>
  formatMoment(moment, daily_title)
    .split('/')
    .map(cleanLine)
    .filter((name) => name !== '')
