// Tools that ask for input before they answer.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server'
import { text } from './content.ts'
import { askFor, declares, form, responsesOf, roots, sample, sampledText } from './input.ts'
import type { FixtureTool } from './tools.ts'

const said = (words: string) => ({ content: [text(words)] })
const askName = (message: string) => form(message, { name: { type: 'string' } }, ['name'])
const contentOf = (response: unknown): Record<string, unknown> => Object(Object(response).content)

/** What a client carries from one round to the next, signed. */
const sign = (state: string) =>
  `${state}.${createHmac('sha256', 'fixture').update(state).digest('base64url')}`

/** Throws for a state that was not signed here. */
function verifyState(ctx: ServerContext): string {
  const given = ctx.mcpReq.requestState<string>() ?? ''
  const [state = ''] = given.split('.')
  const [a, b] = [Buffer.from(given), Buffer.from(sign(state))]
  if (a.length === b.length && timingSafeEqual(a, b)) return state
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The state was changed.')
}

const askToConfirm = form('Please confirm', { ok: { type: 'boolean' } }, ['ok'])

/** Asks for a confirmation and carries a state through it. */
const withState: FixtureTool = (_args, ctx) => {
  if (!responsesOf(ctx).confirm) return askFor({ confirm: askToConfirm }, sign('asked'))
  return said(`state-ok ${verifyState(ctx)}`)
}

export const inputTools: Record<string, FixtureTool> = {
  test_input_required_result_elicitation(_args, ctx) {
    const { user_name } = responsesOf(ctx)
    const { name } = contentOf(user_name)
    if (typeof name !== 'string') return askFor({ user_name: askName('What is your name?') })
    return said(`Hello, ${name}!`)
  },
  test_input_required_result_sampling(_args, ctx) {
    const { capital_question } = responsesOf(ctx)
    if (!capital_question) return askFor({ capital_question: sample('What is the capital of France?') })
    return said(sampledText(capital_question))
  },
  test_input_required_result_list_roots(_args, ctx) {
    const { client_roots } = responsesOf(ctx)
    return client_roots ? said(JSON.stringify(client_roots)) : askFor({ client_roots: roots })
  },
  test_input_required_result_request_state: withState,
  test_input_required_result_tampered_state: withState,
  test_input_required_result_multiple_inputs(_args, ctx) {
    const { user_name, greeting, client_roots } = responsesOf(ctx)
    if (user_name && greeting && client_roots) return said(`All there, after ${verifyState(ctx)}`)
    return askFor(
      {
        user_name: askName('What is your name?'),
        greeting: sample('Generate a greeting', 50),
        client_roots: roots,
      },
      sign('asked for three'),
    )
  },
  test_input_required_result_multi_round(_args, ctx) {
    const { step1, step2 } = responsesOf(ctx)
    if (!step1 && !step2) return askFor({ step1: askName('Step 1: What is your name?') }, sign('round-1'))
    if (verifyState(ctx) === 'round-1' || !step2) {
      const askColor = form('Step 2: What is your favorite color?', { color: { type: 'string' } }, ['color'])
      return askFor({ step2: askColor }, sign('round-2'))
    }
    return said(`Thank you: ${contentOf(step2).color}`)
  },
  test_input_required_result_capabilities(_args, ctx) {
    const requests = {
      ...(declares(ctx, 'sampling') ? { greeting: sample('Generate a greeting') } : {}),
      ...(declares(ctx, 'elicitation') ? { user_name: askName('What is your name?') } : {}),
    }
    return Object.keys(responsesOf(ctx)).length > 0 ? said('thank you') : askFor(requests)
  },
}
