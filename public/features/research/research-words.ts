// What the parts of research are called on the screen.

import type {
  ResearchEvent,
  ResearchItem,
  ResearchStageName,
  ResearchVerdict,
} from '../../../lib/contract/research.ts'
import { el } from '../../ui/dom.ts'

export const stageWords: Readonly<Record<ResearchStageName, string>> = {
  analyze_query: 'Plan',
  websearch_calibration: 'Calibrate',
  retrieve: 'Search',
  synthesize: 'Write',
  verify: 'Verify',
  output: 'Page',
}

export const stageStatusWords: Readonly<Record<ResearchEvent['status'] | 'stopped', string>> = {
  started: 'running…',
  done: 'done',
  paused: 'waiting',
  failed: 'failed',
  skipped: 'skipped',
  stopped: 'stopped',
}

/** A stage waits only while its run does; what was paused has gone on since, or was stopped. */
export const stageStatusNow = (
  status: keyof typeof stageStatusWords,
  run: ResearchItem['status'],
): keyof typeof stageStatusWords => {
  if (status !== 'paused' || run === 'paused') return status
  return run === 'stopped' ? 'stopped' : 'done'
}

export const verdictBadge = (verdict: ResearchVerdict): HTMLElement => {
  const [words, tone] = verdicts[verdict]
  return el('span', { class: ['badge', tone] }, words)
}

const verdicts: Readonly<Record<ResearchVerdict, readonly [string, string]>> = {
  quoted: ['quoted', ''],
  judged: ['judged supported', ''],
  contradicted: ['contradicted', 'badge-amber'],
  disputed: ['contradicted', 'badge-amber'],
  elsewhere: ['unchecked', ''],
  unchecked: ['unchecked', ''],
  supported: ['unchecked', ''],
  partly: ['unchecked', ''],
  nowhere: ['unchecked', ''],
}

type State = Pick<ResearchItem, 'status' | 'pause' | 'outcome'>

export function stateBadge({ status, pause, outcome }: State): HTMLElement {
  const [words, tone] = describe({ status, pause, outcome })
  return el('span', { class: ['badge', tone] }, words)
}

function describe({ status, pause, outcome }: State): readonly [string, string] {
  if (status === 'running') return ['running', '']
  if (status === 'paused') return [pause === 'budget' ? 'budget reached' : 'waiting for you', '']
  if (status === 'failed') return ['failed', 'badge-red']
  if (status === 'stopped') return ['stopped', '']
  if (outcome === 'disputed') return ['disputed', 'badge-amber']
  if (outcome === 'nothing_found') return ['nothing found', '']
  return outcome === 'checked' ? ['checked', ''] : ['partly checked', '']
}

/** Less than a cent is said as such. */
export const costText = (usd: number): string =>
  usd > 0 && usd < 0.01 ? 'under $0.01' : `$${usd.toFixed(2)}`
