// Templates and the daily note. A template is a page below the page named in the settings; a daily note is the page
// whose title is its day.

import type { Writer } from '../content/writes/write.ts'
import { type EntityRow, textOf } from '../contract/entities/kind.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import type { NoteSettings } from '../contract/space/notes.ts'
import type { Actor } from '../core/actor.ts'
import { invalid } from '../core/errors.ts'
import { cleanLine } from '../core/text/clean.ts'
import { fillTemplate, formatMoment, type Moment } from '../core/text/dates/format-moment.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { createAuditRepo } from '../db/repos/audit.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createNoteSettingsRepo } from '../db/repos/spaces.ts'

const defaults: NoteSettings = {
  templates_page: 'Templates',
  daily_title: 'YYYY-MM-DD',
  daily_parent: 'Daily notes',
  daily_template: 'Daily note',
}

const maxTemplates = 200

export const loadNoteSettings = async (db: Queryable, spaceId: string): Promise<NoteSettings> =>
  (await createNoteSettingsRepo(db).find(spaceId)) ?? defaults

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
    const notes = createNoteSettingsRepo(tx)
    const title = titleOf(settings, moment)
    const parent = settings.daily_parent && (await notes.findTitled(spaceId, settings.daily_parent, null))
    const id = await notes.findTitled(spaceId, title, parent || null)
    const page = id && (await createEntitiesRepo(tx).find(kinds.get('page'), spaceId, id))
    if (page) return { page, created: false }

    const create = async (fields: Record<string, unknown>) =>
      await writer.write(tx, { action: 'create', type: 'page', space_id: spaceId, fields }, { actor })
    const body = fillTemplate(await readTemplate(tx, { kinds, spaceId, settings }), { ...moment, title })
    const parent_id =
      settings.daily_parent === '' ? null : parent || (await create({ title: settings.daily_parent })).id
    return { page: await create({ title, body, parent_id }), created: true }
  })
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

function titleOf({ daily_title }: NoteSettings, moment: Moment): string {
  const title = cleanLine(formatMoment(moment, daily_title))
  if (title === '') throw invalid(`daily_title: “${daily_title}” results in an empty title.`)
  return title
}
