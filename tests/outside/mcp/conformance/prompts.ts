import {
  type GetPromptRequest,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { embedded, image, text } from './content.ts'
import { askFor, form, responsesOf } from './input.ts'

const prompt = (name: string, ...args: string[]): Prompt => ({
  name,
  description: `For the scenario of ${name}`,
  arguments: args.map((arg) => ({ name: arg, description: arg, required: true })),
})

export const prompts = [
  prompt('test_simple_prompt'),
  prompt('test_prompt_with_arguments', 'arg1', 'arg2'),
  prompt('test_prompt_with_embedded_resource', 'resourceUri'),
  prompt('test_prompt_with_image'),
  prompt('test_input_required_result_prompt'),
]

type Content = GetPromptResult['messages'][number]['content']
const messages = (...contents: Content[]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
})

export function getPrompt(
  { name, arguments: args = {} }: GetPromptRequest['params'],
  ctx: ServerContext,
): GetPromptResult | InputRequiredResult {
  switch (name) {
    case 'test_simple_prompt':
      return messages(text('This is a simple prompt for testing.'))
    case 'test_prompt_with_arguments':
      return messages(text(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`))
    case 'test_prompt_with_embedded_resource':
      return messages(
        embedded(String(args.resourceUri), 'text/plain', 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      )
    case 'test_prompt_with_image':
      return messages(image, text('Please analyze the image above.'))
    case 'test_input_required_result_prompt': {
      const { user_context } = responsesOf(ctx)
      if (user_context) return messages(text(JSON.stringify(user_context)))
      const message = 'What context should the prompt use?'
      return askFor({ user_context: form(message, { context: { type: 'string' } }, ['context']) })
    }
    default:
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`)
  }
}
