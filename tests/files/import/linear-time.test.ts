// What an import or an export reads of files runs in linear time on this thread, whatever the file says. A function of
// lib/files/import, lib/files/export or lib/files/vault that takes text or bytes is in one of the lists here.

import { expect, test } from 'vitest'
import { createFileNames, cutName } from '../../../lib/files/export/plan-vault.ts'
import { attachmentName } from '../../../lib/files/import/attach-file.ts'
import { readChats } from '../../../lib/files/import/chats/read-chats.ts'
import { createNotionNames, readNotionPage } from '../../../lib/files/import/expand/notion.ts'
import { parseAttachment } from '../../../lib/files/import/file/attachment.ts'
import { decodeHtml, decodeText } from '../../../lib/files/import/file/decode.ts'
import { decodeExact, readExportedNote, restoreNote } from '../../../lib/files/import/file/exported-note.ts'
import { datesIn, isClipping, positionIn, titleIn } from '../../../lib/files/import/file/note-fields.ts'
import { noteText } from '../../../lib/files/import/file/note-text.ts'
import { format as canvas } from '../../../lib/files/import/formats/canvas.ts'
import { format as csv } from '../../../lib/files/import/formats/csv.ts'
import { format as markdown, readNote } from '../../../lib/files/import/formats/markdown.ts'
import { closeOpen } from '../../../lib/files/import/html/close-open.ts'
import { takePictures } from '../../../lib/files/import/html/data-pictures.ts'
import { escapeLineStart, escapeMarkdown } from '../../../lib/files/import/html/inline.ts'
import { hidesText, positionOf } from '../../../lib/files/import/html/node.ts'
import { escapeTex } from '../../../lib/files/import/html/omml.ts'
import { withEndTags } from '../../../lib/files/import/html/parse-xml.ts'
import { readStyleSheets } from '../../../lib/files/import/html/style-sheets.ts'
import { asCell, renderTable } from '../../../lib/files/import/html/table.ts'
import { decodePart, unflow } from '../../../lib/files/import/mail/decode-part.ts'
import { textToMarkdown } from '../../../lib/files/import/mail/message-body.ts'
import {
  decodeHeaders,
  endOfHeaders,
  isAnswer,
  plainSubject,
  readHeaders,
  readStatus,
} from '../../../lib/files/import/mail/read-headers.ts'
import { unquoteFrom } from '../../../lib/files/import/mail/split-mbox.ts'
import { detectEncoding, isIso2022Jp } from '../../../lib/files/vault/detect-encoding.ts'
import { readManifest } from '../../../lib/files/vault/manifest.ts'
import { readNoteText, writeNoteText } from '../../../lib/files/vault/note-bytes.ts'
import { readOlderNote } from '../../../lib/files/vault/older-note.ts'
import { asTitle, checkPath, placeable } from '../../../lib/files/vault/paths.ts'
import { readVaultNote, writeVaultNote } from '../../../lib/files/vault/vault-note.ts'
import { exportsTakingText } from '../../helpers/exports-taking-text.ts'
import { hostileShapes, slowShapes } from '../../helpers/growth.ts'

const repeat = (piece: string) => (length: number) => piece.repeat(Math.ceil(length / piece.length))

const shapes: Record<string, (length: number) => string> = {
  ...Object.fromEntries(
    [
      'nested brackets',
      'white space',
      'backslashes',
      'tags that never close',
      'front matter that never closes',
      'quotes within quotes',
      'lines that are all the same',
      'lines that are all different',
    ].map((name) => [name, hostileShapes[name]!]),
  ),
  'an answer and white space': (length) => `re${repeat(' ')(length)}x`,
  'answers to answers': repeat('Re [1] : '),
  'comments that never close': repeat('('),
  'encoded words': repeat('=?utf-8?q?=20'),
  'identifiers that never close': repeat('<a'),
  'cells in quotes': repeat('"a";'),
  'fields of a note': (length) => `---\nvoid: page\n${repeat('title: [a\n')(length)}`,
  'folders in folders': repeat('a/'),
}

const bytesOf = (text: string) => Buffer.from(text)

/** Each with what it is called with for a text. */
const functions: Record<string, (text: string) => () => unknown> = {
  isAnswer: (text) => () => isAnswer(text),
  isClipping: (text) => () => isClipping(`---\nsource: ${text}\n---\n${text}`),
  plainSubject: (text) => () => plainSubject(text),
  'readChats of one conversation': (text) => {
    const said = { sender: 'human', text, created_at: '2026-01-01T00:00:00Z' }
    const json = JSON.stringify([{ uuid: '1', name: text, chat_messages: [said, said] }])
    return () => readChats(json)
  },
  // Headers end after 64 kB.
  readHeaders: (text) => {
    const part = text.slice(0, text.length / 4)
    const start = bytesOf(part)
    const named = ['Subject', 'Date', 'References'].map((name) =>
      bytesOf(`${name}: ${part.replace(/\s/g, ' ')}`),
    )
    return () => [start, ...named].map(readHeaders)
  },
  readStatus: (text) => {
    const start = bytesOf(text.slice(0, text.length / 4))
    return () => readStatus(start)
  },
  unquoteFrom: (text) => () => unquoteFrom(bytesOf(`\n>From ${text}`)),
  unflow: (text) => () => unflow(text, true),
  'decodePart of a text': (text) => {
    const bytes = bytesOf(text)
    return () => decodePart(bytes, { charset: null, isHtml: false, flowed: { delSp: false } }, () => null)
  },
  decodeHeaders: (text) => () => decodeHeaders(bytesOf(text)),
  endOfHeaders: (text) => () => endOfHeaders(bytesOf(text)),
  textToMarkdown: (text) => () => textToMarkdown(text),
  readNotionPage: (text) => () => readNotionPage(`# Trip\n\n${text}`),
  createNotionNames: (text) => {
    const paths = text.match(/[\s\S]{1,64}/g)!.map((part) => `${part} ${'0'.repeat(32)}.md`)
    return () => createNotionNames(paths)?.relink(text)
  },
  parseAttachment: (text) => () => parseAttachment({ path: 'a.txt', bytes: bytesOf(text) }),
  attachmentName: (text) => () => attachmentName(text),
  decodeText: (text) => () => decodeText(bytesOf(text)),
  'decodeText of broken bytes': (text) => {
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0) | 0x80)
    return () => decodeText(bytes)
  },
  detectEncoding: (text) => () => detectEncoding(bytesOf(`\xe9${text}`)),
  isIso2022Jp: (text) => () => isIso2022Jp(bytesOf(`\x1b${text}`)),
  readNote: (text) => () => {
    try {
      return readNote(text, 'n.md')
    } catch (error) {
      return error
    }
  },
  noteText: (text) => () => noteText(`+++\n${text}\n+++\n${text}`),
  readNoteText: (text) => () => readNoteText(bytesOf(text)),
  writeNoteText: (text) => () => writeNoteText(bytesOf(text), `${text.slice(0, text.length / 2)}x${text}`),
  takePictures: (text) => () => takePictures(`<img src="data:image/png;base64,${text} data:image/a;${text}`),
  hidesText: (text) => () => hidesText(text),
  positionOf: (text) => () => positionOf(text),
  escapeTex: (text) => () => escapeTex(text),
  withEndTags: (text) => () => withEndTags(text),
  'withEndTags of an element': (text) => () => withEndTags(`<a ${text}`),
  readStyleSheets: (text) => () => readStyleSheets([`.a { ${text}`, text]),
  closeOpen: (text) => () => closeOpen(`<svg><b>${text}`),
  decodeHtml: (text) => () => decodeHtml(bytesOf(text)),
  readExportedNote: (text) => () => readExportedNote({ path: 'n.md', bytes: bytesOf(text) }),
  readVaultNote: (text) => () => readVaultNote(text),
  writeVaultNote: (text) => () => writeVaultNote({ kind: 'page', properties: { title: text }, body: text }),
  readManifest: (text) => () => readManifest(bytesOf(text)),
  escapeMarkdown: (text) => () => escapeMarkdown(text),
  escapeLineStart: (text) => () => escapeLineStart(text),
  asCell: (text) => () => asCell(text),
  renderTable: (text) => () => renderTable(text.match(/[\s\S]{1,64}/g)!.map((part) => part.split('a'))),
  asTitle: (text) => () => asTitle(text),
  checkPath: (text) => () => checkPath(text),
  cutName: (text) => () => cutName(text),
  'createFileNames of one title': (text) => () => {
    const name = createFileNames()
    for (let n = 0; n < text.length / 16; n++) name('', 'Untitled', '.md')
  },
  placeable: (text) => () => placeable(text),
  decodeExact: (text) => () => decodeExact(bytesOf(text)),
  titleIn: (text) => () => titleIn(`---\n${text}\n---\n`, 'n.md'),
  datesIn: (text) => () => datesIn(`---\ncreated: ${text}\n---\n`),
  positionIn: (text) => () => positionIn(`---\n${text}\n---\n`),
  readOlderNote: (text) => () => readOlderNote(text),
  restoreNote: (text) => () => restoreNote({ kind: 'page', properties: {}, body: text }, 'n.md'),
  'readOlderNote, an export': (text) => () => readOlderNote(`---\nvoid: page\n${text}`),
  'a canvas': (text) => {
    const place = { x: 0, y: 0, width: 1, height: 1 }
    const nodes = text
      .match(/[\s\S]{1,64}/g)!
      .map((part, id) => ({ id: String(id), type: 'text', text: part, ...place }))
    const bytes = bytesOf(JSON.stringify({ nodes, edges: [{ fromNode: '0', toNode: '0', label: text }] }))
    return () => canvas.parse({ path: 'a.canvas', bytes })
  },
  // Only what is small is read on this thread.
  'a CSV file': (text) => () => atOnce(csv, text),
  'a Markdown file': (text) => () => atOnce(markdown, text),
}

function atOnce(format: typeof csv, text: string): unknown {
  try {
    return format.parse({ path: 'a.csv', bytes: bytesOf(text).subarray(0, format.atOnce) })
  } catch (error) {
    return error
  }
}

/** Not measured here, by the reason. */
const elsewhere: Record<string, readonly string[]> = {
  'a path or a name, which is short': [
    'baseName',
    'compareNames',
    'decide',
    'fieldsOf',
    'createScratchFile',
    'extensionOf',
    'folderBeside',
    'folderOf',
    'folderOfAttached',
    'isContainer',
    'isBesideChats',
    'isChatsName',
    'isHidden',
    'isExportName',
    'isJoplinItem',
    'bundlePath',
    'holdsFiles',
    'linkTo',
    'splitEnex',
    'isPart',
    'isTextual',
    'mimeOf',
    'nameOfUnusablePath',
    'notesBeside',
    'rankAsFolderNote',
    'removeOldScratchFiles',
    'safeName',
    'skipped',
    'skippingProblems',
    'stemOf',
    'welcome',
  ],
  'runs in the thread of the parser, which has a time limit': [
    'attribute',
    'applyStyleSheets',
    'fence',
    'functionName',
    'parseHtml',
    'parseXml',
    'htmlLines',
    'messageBody',
    'readMail',
    'readMailbox',
    'rtfToHtml',
    'writeNote',
    'asBytes',
    'createNoteNames',
  ],
  'measured in readChats': ['expandChats'],
  'measured in readNotionPage, and by the names of a folder': [
    'notionPaths',
    'readNotionFile',
    'readNotionFolder',
  ],
  'hashes a text': ['textHash', 'hashOf'],
  'looks at a path, or at the start of a file': ['isVaultSettings', 'readVaultApp'],
  'reads bytes and no text': [
    'expandMailbox',
    'minTableLength',
    'readUploads',
    'measureZip',
    'isPicture',
    'openArchive',
    'openStored',
    'originalOf',
    'pictureName',
    'readEntry',
  ],
  'reads what this server wrote': [
    'applyManifest',
    'createFolderPages',
    'claimFolder',
    'describedFolder',
    'exportResearch',
    'findMissing',
    'leave',
    'listFolder',
    'listSource',
    'pathsOf',
    'planVault',
    'surveyFolder',
  ],
}

test('every function that takes text or bytes is measured, or named with the reason why not', () => {
  const measured = new Set(Object.keys(functions).map((name) => name.split(' ', 1)[0]))
  const named = new Set(Object.values(elsewhere).flat())
  const found = exportsTakingText(['lib/files/import', 'lib/files/export', 'lib/files/vault'])
  const open = found.filter(({ name }) => !measured.has(name) && !named.has(name))

  expect(open).toEqual([])
})

test.each(Object.entries(functions))('%s takes linear time', (_, prepare) => {
  expect(slowShapes(prepare, { shapes })).toEqual([])
})
