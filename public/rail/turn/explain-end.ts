import type { Answer } from '../state/turn-state.ts'

export type Ending = {
  tone: 'quiet' | 'problem'
  /** What happened, in a word or two. */
  title: string
  /** What to do about it. */
  text: string
  retry: boolean
  /** The address of the setting that concerns it; empty where there is none. */
  settings: string
}

const problems: Record<string, { title: string; settings?: boolean }> = {
  model_unauthorized: { title: 'API key rejected', settings: true },
  model_not_found: { title: 'Model not found', settings: true },
  model_bad_request: { title: 'Request rejected', settings: true },
  model_rate_limited: { title: 'Rate limit reached' },
  model_overloaded: { title: 'Model overloaded' },
  key_unreadable: { title: 'API key cannot be read', settings: true },
  model_unreachable: { title: 'Model unreachable' },
  model_silent: { title: 'Model stopped responding' },
  model_failed: { title: 'Model error' },
  interrupted: { title: 'Interrupted' },
  turn_closed: { title: 'Interrupted' },
  unreachable: { title: 'Connection lost' },
  unauthorized: { title: 'Signed out' },
  turn_running: { title: 'Still answering' },
  too_many_requests: { title: 'Too many messages' },
}

const stops: Record<string, { title: string; text: string; retry: boolean; settings?: string }> = {
  aborted: { title: 'Stopped', text: '', retry: true },
  refusal: {
    title: 'Declined',
    text: 'Rephrase your message, or ask something else.',
    retry: false,
  },
  max_tokens: {
    title: 'Truncated',
    text: 'The answer reached the length limit of the model. Ask to continue.',
    retry: false,
  },
  iteration_limit: {
    title: 'Stopped at a limit',
    text: 'The answer reached the limit of steps. Ask to continue.',
    retry: false,
  },
  token_limit: {
    title: 'Stopped at a limit',
    text: 'The answer reached the token limit. Ask to continue.',
    retry: false,
  },
  time_limit: {
    title: 'Stopped at a limit',
    text: 'The answer reached the time limit. Ask to continue.',
    retry: false,
  },
  size_limit: {
    title: 'Stopped at a limit',
    text: 'The answer reached the size limit. Ask to continue, in smaller steps.',
    retry: false,
  },
  budget: {
    title: 'Daily budget reached',
    text: 'It resets at midnight. You can change it in Settings.',
    retry: true,
    settings: '/settings/usage',
  },
  model_context_window_exceeded: {
    title: 'Conversation too long',
    text: 'It no longer fits the context window of the model. Start a new thread.',
    retry: false,
  },
}

/** How an answer ended; `null` for one that ended normally. */
export function explainEnd({ state, problem, stopReason, text }: Answer): Ending | null {
  if (state === 'running') return null
  if (problem) {
    const { title, settings = false } = problems[problem.code] ?? { title: 'Not finished' }
    const note = text === '' || /kept/.test(problem.message) ? '' : ' The text so far is kept.'
    return {
      tone: 'problem',
      title,
      text: problem.message + note,
      retry: true,
      settings: settings ? '/settings/model' : '',
    }
  }
  const stop = stops[stopReason ?? '']
  return stop ? { tone: 'quiet', settings: '', ...stop } : null
}
