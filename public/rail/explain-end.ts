import type { Answer } from './turn-state.ts'

export type Ending = {
  tone: 'quiet' | 'problem'
  /** What happened, in a word or two. */
  title: string
  /** What it means and what to do. */
  text: string
  retry: boolean
  /** The address where it can be changed; empty where it cannot. */
  settings: string
}

const problems: Record<string, { title: string; settings?: boolean }> = {
  model_unauthorized: { title: 'The key was refused', settings: true },
  model_not_found: { title: 'No such model', settings: true },
  model_bad_request: { title: 'The model refused the request', settings: true },
  model_rate_limited: { title: 'Rate limit reached' },
  model_overloaded: { title: 'The model is overloaded' },
  model_unreachable: { title: 'The model did not answer' },
  model_silent: { title: 'The model fell silent' },
  model_failed: { title: 'The model had an error' },
  interrupted: { title: 'Interrupted' },
  turn_closed: { title: 'Interrupted' },
  unreachable: { title: 'No connection' },
  unauthorized: { title: 'Signed out' },
  turn_running: { title: 'Still answering' },
  too_many_requests: { title: 'Too many messages at once' },
}

const stops: Record<string, { title: string; text: string; retry: boolean; settings?: string }> = {
  aborted: { title: 'Stopped', text: 'What was said so far is kept.', retry: true },
  refusal: {
    title: 'Declined',
    text: 'Ask in another way, or ask something else.',
    retry: false,
  },
  max_tokens: {
    title: 'Cut off',
    text: 'The answer reached the model’s length limit. Ask it to go on.',
    retry: false,
  },
  iteration_limit: {
    title: 'Stopped at a limit',
    text: 'It took as many steps as one answer may. Ask again to go on.',
    retry: false,
  },
  token_limit: {
    title: 'Stopped at a limit',
    text: 'It used as many tokens as one answer may. Ask again to go on.',
    retry: false,
  },
  time_limit: {
    title: 'Stopped at a limit',
    text: 'It took as long as one answer may. Ask again to go on.',
    retry: false,
  },
  budget: {
    title: 'The daily budget is used up',
    text: 'It begins anew at midnight, and you can change it.',
    retry: true,
    settings: '/settings/usage',
  },
  model_context_window_exceeded: {
    title: 'Too long',
    text: 'The conversation no longer fits the model. Begin a new one.',
    retry: false,
  },
}

/** How an answer ended, when there is something to say about it; `null` for one that simply ended. */
export function explainEnd({ state, problem, stopReason, text }: Answer): Ending | null {
  if (state === 'running') return null
  if (problem) {
    const { title, settings = false } = problems[problem.code] ?? { title: 'Not finished' }
    const kept = text === '' || /kept/.test(problem.message) ? '' : ' What was said so far is kept.'
    return {
      tone: 'problem',
      title,
      text: problem.message + kept,
      retry: true,
      settings: settings ? '/settings' : '',
    }
  }
  const stop = stops[stopReason ?? '']
  return stop ? { tone: 'quiet', settings: '', ...stop } : null
}
