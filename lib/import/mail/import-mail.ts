import type { FileOutcome } from '../../contract/imports.ts'
import type { MessageFile } from '../file/source-file.ts'

export type MailImport = {
  space_id: string
  messages: readonly MessageFile[]
  /** The job that remembers what is written. */
  job_id: string | undefined
  /** Only says what would happen. */
  preview: boolean
}

/** Takes messages into the mail of a Space, each once. Throws only when the database cannot be reached or is full. */
export type ImportMail = (run: MailImport) => Promise<FileOutcome[]>
