import { join } from 'node:path'
import { createLoadCards } from '../../changes/card/load-cards.ts'
import { createDraftStates } from '../../changes/draft-states.ts'
import { createProposeChange } from '../../changes/propose/propose.ts'
import { createImportChats } from '../../companion/import-chats.ts'
import { findCompanion } from '../../companion/turn/accept-turn.ts'
import { createWriter } from '../../content/writes/write.ts'
import { findOrCreateSpace } from '../../content/writes/write-space.ts'
import { kinds } from '../../contract/entities/kinds.ts'
import { machineCalendar } from '../../core/schedule/calendar.ts'
import { migrate } from '../../db/migrate.ts'
import type { Database } from '../../db/pool.ts'
import { createSpacesRepo } from '../../db/repos/spaces.ts'
import { createOfferConflict } from '../../files/import/batch/offer-conflict.ts'
import { importFiles } from '../../files/import/import-files.ts'
import { importAsJob } from '../../files/import/job/import-jobs.ts'
import { surveyFolder } from '../../files/import/survey.ts'
import { welcome } from '../../files/import/welcome.ts'
import { createTextThreads } from '../../jobs/workers/text-threads.ts'
import { createLargeMessageThreads } from '../../outside/mail/message/parse-in-thread.ts'
import { createImportMail } from '../../outside/mail/store/import-messages.ts'
import { createSearch } from '../../search/search.ts'
import type { Config } from '../config.ts'
import { createServerTarget } from './import-server-target.ts'
import { onStoreOrServer, type Store } from './open-store.ts'
import type { ImportTarget, TargetSpace } from './run-import.ts'

/** Throws as `onStoreOrServer` does. */
export const openTarget = (config: Config): Promise<ImportTarget> =>
  onStoreOrServer(config, {
    onStore: (store) => openStoreTarget(config, store),
    onServer: createServerTarget,
  })

const actor = { kind: 'system', name: 'import' } as const

/** The store, with the parts of a server that an import takes. */
async function openStoreTarget(config: Config, { database, folder, close }: Store): Promise<ImportTarget> {
  await migrate(database)
  const threads = createTextThreads()
  const search = createSearch({ db: database, kinds, languages: config.searchLanguages })
  const writer = createWriter({ kinds, search, calendar: machineCalendar(() => new Date()) })
  const states = createDraftStates(() => {})
  const loadCards = createLoadCards({ kinds, threads })
  const offer = createOfferConflict({
    database,
    kinds,
    threads,
    proposeChange: createProposeChange({
      database,
      kinds,
      loadCards,
      threads,
      states,
      languages: config.searchLanguages,
    }),
  })
  const mailThreads = createLargeMessageThreads()
  const importMail = createImportMail({
    database,
    search,
    threads: mailThreads,
    now: () => new Date(),
    onNews: () => {},
  })
  const importChats = createImportChats({
    database,
    live: { publish: () => {} },
    agent: (space_id, agent_id) => findCompanion(database, { space_id, agent_id, conversation_id: null }),
    now: () => new Date(),
  })
  // An import before the first start is the first start.
  const importFolder = join(folder, 'imports')
  await welcome({ database, writer, importFolder })

  return {
    note: null,
    enterSpace: (slug, name) => enterSpace(database, slug, name),
    async findSpace(slug) {
      const found = await createSpacesRepo(database).findBySlug(slug)
      return found && { id: found.id, slug, name: found.name, created: false }
    },
    survey: (place) => surveyFolder({ database, ...place }),
    async importFiles(run) {
      const result = run.preview
        ? await importFiles({ database, writer, importFolder, importMail, importChats, ...run })
        : await importAsJob({ database, kinds, writer, offer, importFolder, importMail, importChats }, run)
      if (!run.preview && result.counts.created + result.counts.updated > 0) await search.maintain()
      return result
    },
    async close() {
      await threads.close()
      await mailThreads.close()
      await close()
    },
  }
}

async function enterSpace(database: Database, slug: string, name: string): Promise<TargetSpace> {
  const { space, created } = await findOrCreateSpace(database, actor, { slug, name })
  return { id: space.id, slug, name: space.name, created }
}
