// Research in the rail: the stages of an answer, what the owner decides while it waits, and, in answer-kind.ts, the choice
// of it.

import type { ResearchEvent, ResearchItem } from '../../../lib/contract/research.ts'
import type { AppContext } from '../../app/app.ts'
import { staleLine } from '../../page/read/stale-line.ts'
import { loadRun } from './run-actions.ts'
import { renderRunControls } from './run-controls.ts'
import { renderStageLine, type Substep } from './stage-line.ts'

export { answerKindOf } from './stage-line.ts'

/** Of an answer. */
type ResearchAnswer = { research: readonly ResearchEvent[]; tools: readonly Substep[]; state: string }

type AnswerResearch = { show(answer: ResearchAnswer, turnId: string | null): void }

/** Where it is drawn: above the text of an answer, and below it; and by what, once it has been. */
export type ResearchSlots = { line: HTMLElement; controls: HTMLElement; key: string; part?: AnswerResearch }

/** `turnId`: `null` while the server has not named the turn yet. */
export function show(
  context: AppContext,
  slots: ResearchSlots,
  answer: ResearchAnswer,
  turnId: string | null,
): void {
  slots.part ??= createAnswerResearch(context, slots)
  slots.part.show(answer, turnId)
}

function createAnswerResearch(
  { app, signal }: AppContext,
  { line, controls, key }: ResearchSlots,
): AnswerResearch {
  let last: ResearchAnswer | null = null
  let lastTurn: string | null = null
  let requests = 0
  let shown: ResearchItem['status'] = 'paused'
  app.live.on((event) => {
    // What another message or tab did with it.
    if (event.type === 'turn' && last && last.state !== 'running') void update()
  }, signal)

  return {
    show(answer, turnId) {
      last = answer
      lastTurn = turnId
      showLine('paused')
      if (answer.state === 'running') controls.replaceChildren()
      else void update()
    },
  }

  /** `run`: what became of the run, which is not known before it is loaded. */
  function showLine(run: ResearchItem['status']): void {
    shown = run
    const open = line.querySelector('details')?.open ?? false
    line.replaceChildren(renderStageLine(last!.research, last!.tools, { id: `research-${key}`, open, run }))
  }

  /**
   * The controls are those of the run as it is now, under the turn that carried it last. A plan that is being edited
   * stays while the run waits.
   */
  async function update(isDone = false): Promise<void> {
    requests += 1
    const own = requests
    const id = last?.research[0]?.run_id
    const run = id ? await loadRun(app, id).catch(() => null) : null
    if (own !== requests || signal.aborted) return
    const isOwn = run !== null && run.turn_id === lastTurn
    if (run && run.status !== shown && last?.research.some(({ status }) => status === 'paused'))
      showLine(run.status)
    const runControls = isOwn ? renderRunControls({ app, run, onDone: () => void update(true) }) : null
    if (runControls && !isDone && controls.contains(document.activeElement)) return
    const stale = isOwn ? staleLine(run) : null
    controls.replaceChildren(...[runControls, stale].filter((node) => node !== null))
  }
}
