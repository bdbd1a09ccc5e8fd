import type { ResearchStageName } from '../../../contract/research.ts'
import type { Stage } from '../run/stage.ts'
import { analyzeQuery } from './analyze.ts'
import { calibrate } from './calibrate.ts'
import { output } from './output.ts'
import { retrieve } from './retrieve.ts'
import { synthesize } from './synthesize.ts'
import { verify } from './verify.ts'

/** What each stage does; next-stage.ts says when. */
export const stages: Readonly<Record<ResearchStageName, Stage>> = {
  analyze_query: analyzeQuery,
  websearch_calibration: calibrate,
  retrieve,
  synthesize,
  verify,
  output,
}
