import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'

type PromptOfVoid = Prompt & { text: (args: Record<string, string>) => string }

const space = { name: 'space', description: 'Slug of the Space' }

/** Three ways to begin that help with a Space. */
export const prompts: PromptOfVoid[] = [
  {
    name: 'ask',
    title: 'Ask a Space',
    description: 'Answer a question from what a Space holds, with its sources.',
    arguments: [{ name: 'question', required: true }, space],
    text: ({ question = '', space }) =>
      `Answer this from what Void holds${inSpace(space)}. Search first, read what you find, quote the words that ` +
      `answer and name each source. Say so when it is not there.\n\n${question}`,
  },
  {
    name: 'draft',
    title: 'Draft from a text',
    description: 'Turn a text into pages and tasks for the owner to approve.',
    arguments: [{ name: 'text', required: true }, space],
    text: ({ text = '', space }) =>
      `Propose what of this text belongs into Void${inSpace(space)}: search for what is already there and update it ` +
      `rather than double it, keep names and numbers as they stand, one page per subject and a task for each thing to ` +
      `do.\n\n${text}`,
  },
  {
    name: 'tidy',
    title: 'Tidy a page',
    description: 'Propose a clearer page that says the same.',
    arguments: [{ name: 'page', description: 'Title or id of the page', required: true }, space],
    text: ({ page = '', space }) =>
      `Read the page “${page}” in Void${inSpace(space)} and propose edits that make it clearer: headings, lists, typing ` +
      `errors, broken links. Change no fact, number, name or quotation, and leave out nothing.`,
  },
]

const inSpace = (space: string | undefined) => (space ? ` (Space ${space})` : '')

/** Throws for an unknown prompt, and for one without what it needs. */
export function getPrompt(name: string, args: Record<string, string>): GetPromptResult {
  const prompt = prompts.find((each) => each.name === name)
  const missing = prompt?.arguments?.find((each) => each.required && !args[each.name])
  if (!prompt || missing) {
    const message = prompt ? `The argument ${missing?.name} is missing.` : `There is no prompt ${name}.`
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
  }
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text: prompt.text(args) } }],
  }
}
