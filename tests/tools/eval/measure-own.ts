import { resolveSecret } from '../../../lib/ai/secret.ts'
import { claimDataFolder } from '../../../lib/db/data-folder.ts'
import { migrate } from '../../../lib/db/migrate.ts'
import { openDatabase } from '../../../lib/db/pool.ts'
import { findOrCreateModel, type MeasuredShare, storeShare } from '../../../lib/db/repos/embeddings.ts'
import { createHttpEmbedder } from '../../../lib/search/embed/embedder.ts'
import { type Config, embeddingSettings } from '../../../lib/server/config.ts'
import { chooseShare } from './choose-share.ts'
import { openEvalDatabase } from './open-database.ts'
import { questionsFrom, readNotes } from './own-notes.ts'

/**
 * Chooses what meaning counts by the notes of a Space and stores it with the configured model. The embedded store must
 * not be open elsewhere; the notes are judged in a database of their own.
 */
export async function measureOwn(config: Config, slug: string): Promise<MeasuredShare> {
  const settings = embeddingSettings(config)
  if (!settings) throw new Error('EMBEDDING_PROVIDER is not set: there is no meaning to measure.')
  const embedder = createHttpEmbedder({ ...settings, readKey: () => resolveSecret(settings.apiKey) })
  const folder = claimDataFolder(config.dataDir, { exclusive: config.databaseUrl === null })
  const database = await openDatabase({ url: config.databaseUrl ?? undefined, folder: folder.store })
  const scratch = await openEvalDatabase(undefined)
  try {
    await migrate(database)
    const measured = await chooseShare(
      scratch.database,
      embedder,
      questionsFrom(await readNotes(database, slug)),
    )
    await storeShare(database, (await findOrCreateModel(database, embedder)).id, measured)
    return measured
  } finally {
    await scratch.close()
    await database.close()
    folder.release()
  }
}
