// The stages of a run as one line of an answer, which opens to what each of them did.

import type { ResearchEvent, ResearchItem } from '../../../lib/contract/research.ts'
import { el } from '../../ui/dom.ts'
import { costText, stageStatusNow, stageStatusWords, stageWords } from './research-words.ts'

/** A call, which may be a step of a stage. */
export type Substep = {
  tool: string
  tool_use_id: string
  /** The stage. */
  parent_id?: string | undefined
  args: unknown
  status: 'running' | 'done' | 'error'
  summary: string | null
}

type Stage = Omit<ResearchEvent, 'status'> & { status: keyof typeof stageStatusWords }

/** The last that happened to each stage, in the order in which they began, with the time of all its rounds. */
const lastOfEach = (events: readonly ResearchEvent[], run: ResearchItem['status']): Stage[] =>
  [...Map.groupBy(events, ({ stage }) => stage).values()].map((own) => {
    const rounds = own.flatMap(({ duration_ms }) => duration_ms ?? [])
    const duration_ms = rounds.length > 0 ? rounds.reduce((sum, ms) => sum + ms) : undefined
    const last = own.at(-1)!
    return { ...last, status: stageStatusNow(last.status, run), duration_ms }
  })

export function renderStageLine(
  events: readonly ResearchEvent[],
  substeps: readonly Substep[],
  { id, open, run }: { id: string; open: boolean; run: ResearchItem['status'] },
): HTMLElement {
  const stages = lastOfEach(events, run)
  return el(
    'details',
    { class: 'tools research-stages', id, open },
    el('summary', { class: 'tools-line' }, summarize(stages)),
    el(
      'ol',
      { class: 'tools-calls' },
      stages.map((stage) =>
        renderStage(
          stage,
          substeps.filter(({ parent_id }) => parent_id === stage.stage),
        ),
      ),
    ),
    el('p', { class: 'research-figures' }, figures(stages)),
  )
}

/** "12 passages from 4 sources · 3 claims: 2 quoted", "12 passages from 4 sources · Write running…". */
function summarize(stages: readonly Stage[]): string {
  const told = stages.flatMap(({ stage, status, summary }) => {
    if (status === 'skipped') return []
    if (status !== 'done') return [`${stageWords[stage]} ${stageStatusWords[status]}`]
    return summary && (stage === 'retrieve' || stage === 'verify') ? [summary] : []
  })
  const last = stages.at(-1)
  if (told.length > 0 || !last) return told.join(' · ')
  return `${stageWords[last.stage]} ${stageStatusWords[last.status]}`
}

/** "$0.02 · 3.4 s". */
function figures(stages: readonly Stage[]): string {
  const cost = stages.findLast(({ cost }) => cost !== undefined)?.cost
  const ms = stages.reduce((sum, { duration_ms = 0 }) => sum + duration_ms, 0)
  return [...(cost === undefined ? [] : [costText(cost)]), seconds(ms)].join(' · ')
}

const seconds = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)

function renderStage(
  { stage, status, summary, duration_ms }: Stage,
  substeps: readonly Substep[],
): HTMLElement {
  return el(
    'li',
    { class: ['tool', status === 'failed' && 'tool-failed'] },
    el(
      'p',
      { class: 'tool-head' },
      el('span', { class: 'tool-name' }, stageWords[stage]),
      duration_ms === undefined || status === 'started' ? stageStatusWords[status] : seconds(duration_ms),
    ),
    summary && el('p', { class: 'tool-result' }, summary),
    substeps.length > 0 && el('ul', { class: 'research-substeps' }, substeps.map(renderSubstep)),
  )
}

const renderSubstep = ({ tool, args, status, summary }: Substep): HTMLElement =>
  el(
    'li',
    {},
    [tool, wordsOf(args), status === 'running' ? stageStatusWords.started : (summary ?? '')]
      .filter(Boolean)
      .join(' · '),
  )

function wordsOf(args: unknown): string {
  if (typeof args !== 'object' || args === null) return ''
  const value: unknown = Reflect.get(args, 'q') ?? Reflect.get(args, 'model')
  return typeof value === 'string' ? value.slice(0, 120) : ''
}

export type AnswerKind = {
  /** What goes before a message, for the kind of answer that was chosen for it. */
  take(text: string): string
}

/** What was chosen for the next message to be answered with. */
export function answerKindOf(select: HTMLSelectElement): AnswerKind {
  return {
    take(text) {
      const command = select.value && !text.startsWith('/') ? `/research ${select.value} ` : ''
      select.value = ''
      return command
    },
  }
}
