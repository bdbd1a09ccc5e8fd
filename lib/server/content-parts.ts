import { join } from 'node:path'
import type { Deps } from '../api/deps.ts'
import type { ProposeChange } from '../changes/propose/propose.ts'
import type { Companion } from '../companion/companion.ts'
import { createConversations } from '../companion/conversations.ts'
import { createImportChats } from '../companion/import-chats.ts'
import type { Naming } from '../companion/naming.ts'
import { createUndo } from '../content/writes/undo.ts'
import type { Writer } from '../content/writes/write.ts'
import type { Folders } from '../files/folder/folders.ts'
import { createImportJobs } from '../files/import/job/import-jobs.ts'
import type { Mail } from '../outside/mail/mail.ts'
import { announceUndos } from '../space/live/live.ts'
import { createSpaces } from '../space/spaces.ts'
import type { Base } from './base.ts'
import type { Config } from './config.ts'

type ContentParts = {
  writer: Writer
  proposeChange: ProposeChange
  companion: Companion
  mail: Mail
  naming: Naming
  folders: Folders
}

/** What changes what a Space holds. */
export function contentOf(
  config: Config,
  { database, kinds, threads, live, search, logger, now }: Base,
  { writer, proposeChange, companion, mail, naming, folders }: ContentParts,
): Deps['content'] {
  const importFolder = join(config.dataDir, 'imports')
  return {
    writer,
    undo: announceUndos(createUndo({ database, kinds, writer, threads, now, lookFirst: folders.lookFirst }), {
      database,
      live,
    }),
    imports: createImportJobs({
      database,
      kinds,
      writer,
      search,
      threads,
      proposeChange,
      importFolder,
      importMail: mail.importMail,
      importChats: createImportChats({ database, live, agent: companion.agent, now }),
      logger,
      now,
    }),
    importFolder,
    folders,
    spaces: createSpaces({ database, live, now }),
    conversations: createConversations({ database, live, companion, naming }),
    naming,
  }
}
