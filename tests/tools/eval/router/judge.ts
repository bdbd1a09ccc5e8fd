import { choose, type Router } from '../../../../lib/companion/router/router.ts'
import { obviousReason } from '../../../../lib/companion/router/rule-router.ts'
import type { LabelledTurn } from './labelled-turns.ts'

export type Verdict = { turn: LabelledTurn; got: string; by: string; reason: string; ms: number }

/** What the router decides for each turn, the obvious ones without it, as a server does. */
export async function judge(
  router: Router,
  turns: readonly LabelledTurn[],
  limitMs: number,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  for (const turn of turns) {
    const { active, others, now } = turn.known
    const situation = {
      ...active,
      last_said_at: active.last_activity_at,
      chosen_at: null,
      busy: false,
      held: false,
    }
    const reason = obviousReason({ now, active: situation, others: others.length })
    if (reason) {
      verdicts.push({ turn, got: 'continue', by: 'obvious', reason, ms: 0 })
      continue
    }
    const { choice, decided_by, reason: why, duration_ms } = await choose(router, turn.known, { limitMs })
    const got = choice.choice === 'resume' ? `resume:${choice.id}` : choice.choice
    verdicts.push({ turn, got, by: decided_by, reason: why, ms: duration_ms })
  }
  return verdicts
}

export type Scores = {
  turns: number
  /** Share of turns that were put where a person would put them. */
  accuracy: number
  /** Share of turns that were put into an existing conversation that they do not belong to. */
  wrong_merges: number
  /** Of the turns that were moved away from the conversation in use, the share that would be taken back. */
  undone: number
}

export function score(verdicts: readonly Verdict[]): Scores {
  const wrong = verdicts.filter(({ got, turn }) => got !== turn.expected)
  const moved = verdicts.filter(({ got }) => got !== 'continue')
  return {
    turns: verdicts.length,
    accuracy: share(verdicts.length - wrong.length, verdicts.length),
    wrong_merges: share(wrong.filter(({ got }) => got !== 'new').length, verdicts.length),
    undone: share(moved.filter((verdict) => wrong.includes(verdict)).length, moved.length),
  }
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)
