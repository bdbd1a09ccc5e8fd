import type { Parser } from '../parse/parser.ts'
import type { Budget } from './budget.ts'

/** What unpacking needs, shared by all the files of an import. */
export type ExpandContext = {
  parser: Parser
  budget: Budget
  /** A folder for what is unpacked out of archives to be read from there. */
  scratch: string
}
