import type { Space } from '../../../lib/contract/entities.ts'
import type { FileOutcome, ImportJob } from '../../../lib/contract/imports.ts'
import type { TrustLevel } from '../../../lib/contract/trust.ts'
import type { Plan } from './import-plan.ts'

export type ImportPhase =
  | 'idle'
  | 'checking'
  | 'asking'
  | 'uploading'
  | 'previewing'
  | 'previewed'
  | 'running'
  | 'stopped'
  | 'failed'
  | 'done'
  | 'undoing'
  | 'undone'

export type ImportState = {
  phase: ImportPhase
  space: Space | null
  plan: Plan | null
  /** Whether the owner vouches for the files. */
  trust: TrustLevel
  /** An earlier import of most of the same files, under another name. */
  lookalike: { source: string; count: number } | null
  /** How many files of the plan were uploaded. */
  uploaded: number
  job: ImportJob | null
  /** Files that the browser could not upload. */
  failed: FileOutcome[]
  problem: string
}

export const newImport = { lookalike: null, uploaded: 0, job: null, failed: [], problem: '' }

const busyPhases: readonly ImportPhase[] = [
  'checking',
  'asking',
  'uploading',
  'previewing',
  'running',
  'undoing',
]

export const isBusy = ({ phase }: Pick<ImportState, 'phase'>): boolean => busyPhases.includes(phase)
