import { startsLikeFollowUp } from './cues.ts'

/** What decides without a router where a message belongs. */
export type Situation = {
  message: string
  now: Date
  active: {
    /** `null` when nothing was said in it yet. */
    last_said_at: string | null
    last_activity_at: string
    chosen_at: string | null
    busy: boolean
    /** A research run waits there for the owner. */
    held: boolean
  } | null
  /** How many other conversations something was said in. */
  others: number
}

/** A follow-up within this time needs no second thought. */
const followUpMs = 2 * 60_000
/** How long a choice by hand holds until it is used. */
const chosenMs = 60 * 60_000
/** How long the only conversation takes every message; after that one may begin something new. */
const onlyThreadMs = 10 * 60_000

export type ObviousReason =
  | 'none_yet'
  | 'only_thread'
  | 'just_begun'
  | 'chosen'
  | 'busy'
  | 'follow_up'
  | 'research'

/**
 * Why no router has to be asked, or `null`. Without an active conversation and others there is nothing to choose
 * between; else the message continues the active one, because a research run waits there, it is the only one and warm,
 * nothing was said in it yet, the owner has just opened it by hand, an answer is being written in it, or the message
 * begins like a follow-up right after it.
 */
export function obviousReason({ message, now, active, others }: Situation): ObviousReason | null {
  if (!active) return others === 0 ? 'none_yet' : null
  if (active.held) return 'research'
  const age = now.getTime() - Date.parse(active.last_activity_at)
  if (others === 0 && age <= onlyThreadMs) return 'only_thread'
  if (active.last_said_at === null) return 'just_begun'
  if (active.busy) return 'busy'
  if (isChosen(active, now)) return 'chosen'
  return age <= followUpMs && startsLikeFollowUp(message) ? 'follow_up' : null
}

function isChosen({ chosen_at, last_said_at }: NonNullable<Situation['active']>, now: Date): boolean {
  if (!chosen_at || !last_said_at) return false
  const chosen = Date.parse(chosen_at)
  return chosen > Date.parse(last_said_at) && now.getTime() - chosen <= chosenMs
}
