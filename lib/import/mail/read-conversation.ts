// Messages as one text: a heading for each, what it says, what it quotes folded away, its attachments linked. Whatever
// a message holds is shown as text; the only tags are those of the fold.

import { type AddressObject, type ParsedMail, simpleParser } from 'mailparser'
import { cleanLine } from '../../text/clean.ts'
import { escapeMarkdown } from '../html/escape-markdown.ts'
import { createAttachmentNames } from './attachment-names.ts'
import type { Conversation } from './conversation.ts'
import { foldQuotes } from './fold-quotes.ts'
import { asItCame, messageBody } from './message-body.ts'

const maxMessageLength = 200_000
const maxConversationLength = 1_900_000
const maxAttachments = 500

/** Reads messages, oldest first. `folder` is where its attachments will lie, for the links to them. */
export async function readConversation(
  messages: readonly Uint8Array[],
  folder: string,
): Promise<Conversation> {
  const nameFor = createAttachmentNames()
  const byChecksum = new Map<string, string>()
  const conversation: Conversation = { markdown: '', attachments: [], warnings: [] }
  const mails: ParsedMail[] = []
  const parts: string[] = []

  for (const message of messages) {
    const mail = await simpleParser(Buffer.from(message), asItCame)
    mails.push(mail)
    const body = await messageBody(mail)
    parts.push(renderMessage(mail, body.slice(0, maxMessageLength), linksTo(storeAttachments(mail), folder)))
    conversation.warnings.push(...whatIsLeftOut(mail, body))
  }

  const whole = parts.join('\n\n')
  if (whole.length > maxConversationLength) conversation.warnings.push('it is long; its end was left out')
  conversation.markdown = `${frontMatter(mails)}\n${whole.slice(0, maxConversationLength).toWellFormed()}\n`
  return conversation

  function storeAttachments(mail: ParsedMail): string[] {
    return mail.attachments.slice(0, maxAttachments).map(({ filename, content, contentType, checksum }) => {
      const known = byChecksum.get(checksum)
      const name = known ?? nameFor(filename, contentType)
      if (!known) conversation.attachments.push({ name, bytes: new Uint8Array(content) })
      byChecksum.set(checksum, name)
      return name
    })
  }
}

function whatIsLeftOut(mail: ParsedMail, body: string): string[] {
  const beyond = mail.attachments.length - maxAttachments
  return [
    ...(body.length > maxMessageLength
      ? [`the message from ${nameOf(mail)} is long; its end was left out`]
      : []),
    ...(beyond > 0
      ? [`the message from ${nameOf(mail)} has ${beyond} attachments more than are taken from one`]
      : []),
  ]
}

function frontMatter(mails: readonly ParsedMail[]): string {
  const [first] = mails
  const people = [...new Set(mails.map((mail) => nameOf(mail)))]
  return [
    '---',
    `title: ${quoted(cleanLine(first?.subject ?? '') || 'No subject')}`,
    `from: [${people.slice(0, 50).map(quoted).join(', ')}]`,
    ...(first?.date ? [`date: ${first.date.toISOString()}`] : []),
    ...(mails.length > 1 ? [`messages: ${mails.length}`] : []),
    '---',
  ].join('\n')
}

/** A line with links to attachments, and the pictures among them. */
function linksTo(names: readonly string[], folder: string): string[] {
  if (names.length === 0) return []
  const pictures = names.filter((name) => /\.(?:png|jpe?g|gif|webp)$/i.test(name))
  return [
    `Attachments: ${names.map((name) => `[[${folder}/${name}|${name}]]`).join(', ')}`,
    ...pictures.map((name) => `![[${folder}/${name}]]`),
  ]
}

function renderMessage(mail: ParsedMail, body: string, attachments: readonly string[]): string {
  const time = mail.date ? `, ${mail.date.toISOString().slice(0, 16).replace('T', ' ')}` : ''
  const lines = [
    ['From', addresses(mail.from)],
    ['To', addresses(mail.to)],
    ['Cc', addresses(mail.cc)],
  ].filter(([, people]) => people !== '')
  return [
    `## ${escapeMarkdown(nameOf(mail))}${time}`,
    lines.map(([name, people]) => `${name}: ${escapeMarkdown(people!)}`).join('  \n'),
    foldQuotes(body),
    ...attachments,
  ]
    .filter((part) => part.trim() !== '')
    .join('\n\n')
}

const nameOf = ({ from }: ParsedMail): string => {
  const [sender] = from?.value ?? []
  return cleanLine(sender?.name || sender?.address || '').slice(0, 200) || 'Unknown'
}

const addresses = (people: AddressObject | AddressObject[] | undefined): string =>
  cleanLine(
    [people ?? []]
      .flat()
      .map(({ text }) => text)
      .join(', '),
  ).slice(0, 2000)

const quoted = (text: string) => JSON.stringify(text)
