import { createLedger } from '../changes/ledger.ts'
import { createProposeChange } from '../changes/propose.ts'
import { createWriter } from '../changes/write.ts'
import type { Config } from '../config.ts'
import type { DataFolder } from '../db/data-folder.ts'
import { migrate } from '../db/migrate.ts'
import { type Database, openDatabase } from '../db/pool.ts'
import { createSpacesRepo } from '../db/repos/spaces.ts'
import { kinds } from '../entities/kinds.ts'
import { createSearch } from '../search/search.ts'
import { createSpace } from '../spaces/write-space.ts'
import { importFiles } from './import-files.ts'
import type { ImportTarget, TargetSpace } from './import-target.ts'
import { importAsJob } from './job/import-as-job.ts'
import { createOfferConflict } from './offer-conflict.ts'
import { surveyFolder } from './survey.ts'
import { welcome } from './welcome.ts'

const actor = { kind: 'system', name: 'import' } as const

/** Opens the configured database, as the server would, in a data folder that this process has claimed. */
export async function openLocalTarget(config: Config, folder: DataFolder): Promise<ImportTarget> {
  const database = await openDatabase({ url: config.databaseUrl ?? undefined, folder: folder.store })
  await migrate(database)
  const search = createSearch({ db: database, kinds, languages: config.searchLanguages })
  const writer = createWriter({ kinds, search, now: () => new Date() })
  const ledger = createLedger({ onChange: () => {} })
  const offer = createOfferConflict({
    database,
    kinds,
    proposeChange: createProposeChange({ database, kinds, ledger }),
  })
  // An import before the first start is the first start.
  await welcome({ database, writer })

  return {
    note: null,
    enterSpace: (slug, name) => enterSpace(database, slug, name),
    async findSpace(slug) {
      const found = await createSpacesRepo(database).findBySlug(slug)
      return found && { id: found.id, slug, name: found.name, created: false }
    },
    survey: (place) => surveyFolder({ database, ...place }),
    joinsMessages: true,
    async importFiles(run) {
      const result = run.preview
        ? await importFiles({ database, writer, ...run })
        : await importAsJob({ database, kinds, writer, offer }, run)
      if (!run.preview && result.counts.created + result.counts.updated > 0) await search.maintain()
      return result
    },
    async close() {
      await database.close()
      folder.release()
    },
  }
}

async function enterSpace(database: Database, slug: string, name: string): Promise<TargetSpace> {
  const found = await createSpacesRepo(database).findBySlug(slug)
  const space = found ?? (await createSpace(database, actor, { slug, name }))
  return { id: space.id, slug, name: space.name, created: found === null }
}
