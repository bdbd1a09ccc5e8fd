import { extensionOf } from '../../vault/file-name.ts'
import type { PlainFile } from '../file/source-file.ts'
import type { CollectedMessages } from '../mail/gather-messages.ts'
import type { ExpandContext } from './expand-context.ts'
import { skippingProblems } from './skipping-problems.ts'

/** A conversation as a page at `path`, and its attachments as documents in a folder beside it. */
export async function* expandConversation(
  { parser, budget }: ExpandContext,
  path: string,
  { messages, warnings: before }: CollectedMessages,
): AsyncGenerator<PlainFile> {
  const folder = path.slice(0, path.length - extensionOf(path).length)
  const { markdown, attachments, ...read } = await parser.readMail(messages, folder)
  const warnings = [...before, ...read.warnings]
  yield { path, bytes: new TextEncoder().encode(markdown), readAs: '.md', origin: 'mail', warnings }
  for (const { name, bytes } of attachments) {
    const inside = `${folder}/${name}`
    yield* skippingProblems(inside, attachment(inside, bytes))
  }

  async function* attachment(path: string, bytes: Uint8Array): AsyncGenerator<PlainFile> {
    budget.spend(bytes.length)
    yield { path, bytes, origin: 'mail', attached: true }
  }
}
