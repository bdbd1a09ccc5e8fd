// What the client reads of pages, messages, cards, imports and searches takes linear time, in the browser and where the
// server paints it. Every exported function of public/ that takes text is measured: by itself where its parameters are
// texts, else as is said here, or named with the reason why not.

import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import { textChange } from '../../lib/changes/card/text-change.ts'
import type { Citation } from '../../lib/contract/events/events.ts'
import { placesOf } from '../../lib/core/text/cited/citation-places.ts'
import { renderCardContent } from '../../public/drafts/card/content/card-content.ts'
import { renderThreadRow } from '../../public/features/mail/mail.ts'
import { renderMessage } from '../../public/features/mail/thread.ts'
import { locatePassage } from '../../public/page/blame/locate-passage.ts'
import { renderWriter } from '../../public/page/blame/render-writer.ts'
import { createEmbedder } from '../../public/page/data/embeds.ts'
import { taskLines, toggleTask } from '../../public/page/data/task-lines.ts'
import { linkTargets, namedImage, ownImage, readParts } from '../../public/page/edit/editor/link-targets.ts'
import { markdownOfRows } from '../../public/page/edit/editor/smart-paste.ts'
import { mergeSaved } from '../../public/page/edit/merge-saved.ts'
import { renderCell } from '../../public/page/lists/table.ts'
import { writeBase } from '../../public/page/lists/write-base.ts'
import { renderProperties } from '../../public/page/read/properties.ts'
import { mergeWithMarkers } from '../../public/page/unsaved/merge-with-markers.ts'
import { renderSides } from '../../public/page/unsaved/side-by-side.ts'
import { findMention } from '../../public/rail/composer/mention.ts'
import { markBlock } from '../../public/rail/turn/blocks.ts'
import { renderToolActivity } from '../../public/rail/turn/tool-activity.ts'
import { renderOutcome } from '../../public/settings/import/import-outcomes.ts'
import { renderFigures } from '../../public/settings/parts/section.ts'
import { markWords, queryWords } from '../../public/ui/components/snippet.ts'
import { renderDiff } from '../../public/ui/diff/render-diff.ts'
import { markdownToHtml } from '../../public/ui/markdown/markdown.ts'
import { headingsOf, withoutTitle } from '../../public/ui/markdown/outline.ts'
import { fieldValue } from '../../public/ui/words/field-value.ts'
import { draftCard } from '../changes/card/draft-card.ts'
import { exportsTakingText, loadRun } from '../helpers/exports-taking-text.ts'
import { changeLines, type GrowthOptions, hostileShapes, slowShapes } from '../helpers/growth.ts'

type Prepare = (text: string) => () => unknown

/** Where those that take long for each character are measured first. */
const minLength = 4000
const now = new Date('2031-04-01T08:00:00Z')
const piecesOf = (text: string, length: number): string[] =>
  text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []
const repeat = (piece: string) => (length: number) => piece.repeat(Math.ceil(length / piece.length))
const linkTo = (name: string) => ({
  form: 'wiki' as const,
  target: name,
  to_title: null,
  to_path: null,
  name,
  label: null,
  heading: null,
  embed: true,
  to_type: 'page',
  to_id: 'p',
})

/** Each with what it is called with for a text. */
const functions: Record<string, Prepare> = {
  taskLines: (text) => () => taskLines(text),
  'taskLines of tasks': (text) => () => taskLines(`- [ ] ${text.replaceAll('a', '\n- [ ] ')}`),
  toggleTask: (text) => () => toggleTask(text, { at: text.length >> 1, done: false, text: '' }),
  markdownToHtml: (text) => () => markdownToHtml(text, { slug: 'light', links: [] }),
  headingsOf: (text) => () => headingsOf(text),
  'mergeSaved, one word changed in each line': (text) => {
    const saved = text.replace(/[a-z]+/g, (word, at) => (at % 7 === 0 ? `${word}s` : word))
    return () => mergeSaved({ sent: text, saved, mine: `${text}\nMore.` })
  },
  namedImage: (text) => () => namedImage(EditorState.create({ extensions: [linkTargets] }), text),
  'readParts, label first': (text) => () => readParts(text, true),
  ownImage: (text) => () => ownImage(EditorState.create({ extensions: [linkTargets] }), text),
  markdownOfRows: (text) => () => markdownOfRows(text),
  'headingsOf, one heading': (text) => {
    const heading = `# ${text.replace(/\s/g, ' ')}`
    return () => headingsOf(heading)
  },
  'withoutTitle, a heading that says it': (text) => {
    const title = text.replace(/\s/g, ' ')
    return () => withoutTitle(`${title}\n=\n\nBelow.`, title)
  },
  'locatePassage, one that is not there': (text) => {
    const passage = `${text.slice(0, text.length / 4)} never`
    return () => locatePassage(text, { before: text, passage, after: text })
  },
  'renderCell, a text': (text) => {
    const row = { id: '', title: '', created_at: '', updated_at: '', tags: [], values: [text], links: [] }
    return () => renderCell(row, { property: 'x', value: text }, { slug: 's', now })
  },
  'writeBase, all its texts': (text) => {
    const parts = [{ property: text, op: 'has' as const, value: text }]
    const state = { layout: 'table' as const, parts, sorts: [], columns: [], limit: null }
    return () => writeBase(text, state)
  },
  'renderWriter, of some words': (text) => () => renderWriter(null, text, { slug: 's', now, history: null }),
  'markBlock, a citation for every few words': (text) => {
    const citations = Array.from({ length: text.length / 64 }, (_, n) => citationTo(n * 64))
    return () => markBlock({ text, start: 0 }, placesOf(text, citations))
  },
  'renderThreadRow, all its texts': (text) => {
    const person = { name: text, address: text }
    const thread = { ...mailThread, subject: text, snippet: text, people: [person] }
    return () => renderThreadRow(thread, 'light', now)
  },
  'renderToolActivity, one call': (text) => {
    const call = { tool: 'search', tool_use_id: '', args: { q: text }, summary: text, duration_ms: 1 }
    return () => renderToolActivity([{ ...call, status: 'done' }], null, { id: '', open: true })
  },
  'fieldValue, a choice': (text) => () =>
    fieldValue({ name: 'status', value: text }, { references: {}, now }),
}

/** Those that take long for each character. */
const slower: Record<string, Prepare> = {
  'findMention, of nothing but signs': (text) => {
    const signs = ' @'.repeat(text.length / 2)
    return () => findMention(signs, [{ id: 'a', slug: 'editor', name: 'Editor', color: null }])
  },
  'markdownToHtml, in paragraphs': (text) => {
    const paragraphs = piecesOf(text, 400).join('\n\n')
    return () => markdownToHtml(paragraphs, { slug: 'light', links: [] })
  },
  'renderDiff, every other line': (text) => {
    const other = changeLines(text, 2)
    return () => renderDiff(text, other, 'diff')
  },
  'renderSides, every other line': (text) => {
    const other = changeLines(text, 2)
    const side = (body: string) => ({ title: '', fields: { title: body, body } })
    return () => renderSides(side(text), side(other))
  },
  'mergeWithMarkers, every other and every third line': (text) => {
    const [mine, theirs] = [changeLines(text, 2), changeLines(text, 3)]
    return () => mergeWithMarkers(text, mine, theirs)
  },
  'mergeWithMarkers, two texts': (text) => {
    const other = changeLines(text, 2)
    return () => mergeWithMarkers(null, text, other)
  },
  'renderCardContent, all its texts': (text) => {
    const card = cardOf(text)
    const app = { state: { get: () => ({ spaces: [] }) }, api: {} }
    return () => renderCardContent(card, text, { app, now } as never)
  },
  // A query has at most 2,000 characters.
  'markWords, of a long query': (text) => {
    const words = queryWords(text.slice(0, 2000))
    return () => markWords(text, words)
  },
  'renderMessage, all its texts but the body': (text) => {
    const [person, names] = [{ name: text, address: text }, text.slice(0, 500)]
    const attachments = [{ name: names, media_type: names, bytes: 1 }]
    // Its Markdown is measured above; to parse the HTML of it into elements is the browser's work.
    const body = text.slice(0, 1000)
    const folds = [{ kind: 'forward' as const, from_line: 1, to_line: 1, sender: text }]
    const message = {
      ...mailMessage,
      text: body,
      folds,
      from: person,
      to: [person],
      cc: [person],
      attachments,
    }
    const api = { get: () => Promise.reject(new Error('not asked')) }
    return () => renderMessage(message, { slug: 'light', now, api })
  },
  'renderFigures, all its texts': (text) => () => renderFigures(text, [text], [[text, text]]),
  'renderOutcome, one file': (text) => {
    const file = { path: text, title: text, reason: text, warnings: [text] }
    return () => renderOutcome({ ...file, outcome: 'skipped', entity_type: null, entity_id: null }, 'light')
  },
}

function cardOf(text: string) {
  const part = text.slice(0, text.length / 4)
  const source = { entity_type: 'page', entity_id: 'p', title: part, origin: part, untrusted: true }
  const quote = { quote: part, verdict: 'altered', message: part, attributed_to: null, source: null } as const
  const field = { label: 'Text', words: null, cut: null, links: [], quotes: [{ ...quote, nearest: part }] }
  const link = { kind: 'link', label: part, before: part, after: part, hosts: { before: null, after: null } }
  return {
    ...draftCard({ payload: { title: 'Lamps' } }),
    summary: part,
    note: part,
    warnings: [{ code: 'hidden_characters' as const, message: part, field: null, hunk: null }],
    conflicts: [{ index: 0, field: 'body', at: 0, base: part, current: part, draft: part }],
    fields: [
      { ...field, name: 'title', before: part, after: part, text: null, links: [link as never] },
      { ...field, name: 'body', before: '', after: part, text: textChange('', part) },
    ],
    provenance: {
      known: true,
      sources: [{ ...source, given_by: 'read' as const }],
      more: 0,
      passages: [{ ...source, text: part, share: 1, shared_words: 9 }],
      quotes: [],
    },
  }
}

const mailMessage = {
  id: 'm',
  thread_id: 't',
  message_id: null,
  subject: '',
  sent_at: now.toISOString(),
  direction: 'received' as const,
  automated: false,
  unread: true,
  answered: false,
  imported: false,
}

const mailThread = {
  id: 't',
  space_id: 's',
  messages: 2,
  last_message_at: now.toISOString(),
  unread: true,
  last_direction: 'received' as const,
  has_attachments: true,
}

const citationTo = (end: number): Citation => ({
  n: end + 1,
  start: 0,
  end,
  kind: 'page',
  id: 'p',
  title: '',
  cited_text: '',
  checked: true,
  ordinal: null,
})

/** Not measured, by the reason. */
const elsewhere: Record<string, readonly string[]> = {
  'an id, a kind, a day, or an address that the app makes': [
    ...['activityPath', 'attachTo', 'keepChanges', 'positionsFor', 'readFiles', 'storedFiles'],
    ...['afterDecided', 'auditPath', 'countText', 'dayText', 'deciderName'],
    ...[
      'dropTask',
      'dueState',
      'entityHref',
      'exactTime',
      'exportPath',
      'findTab',
      'findTask',
      'graphHref',
      'groupsPath',
    ],
    ...[
      'inboxHref',
      'isKind',
      'itemId',
      'keepOffer',
      'kindIcon',
      'kindLabel',
      'newFromTemplate',
      'pagePath',
      'panelHref',
      'pastImportsPath',
    ],
    ...['pathOf', 'placeOf', 'prefixLine', 'renderRightFrame', 'renderRightPane', 'resultsPath', 'spaceHref'],
    ...['findInTree', 'revealed', 'setLevelOpen'],
    ...['timeAgo', 'turnHref', 'unsentName', 'upload', 'withQuery', 'withRightAddress'],
  ],
  'a name or a title, of at most 500 characters': [
    ...[
      'actorName',
      'actorNameFirst',
      'agentName',
      'capital',
      'linkedList',
      'linkedRows',
      'otherActorName',
      'plainRows',
    ],
    ...['renderCrumbs', 'renderStageLine', 'renderTasks'],
    ...['colorChoice', 'mergeTitle', 'namePage'],
  ],
  'nothing in a browser, where links are named once they are shown': ['disguiseNote'],
  'words of the app, or counts with their names': [
    ...['connectProblemPage', 'countTexts', 'hasChanged', 'iconButton', 'keyCaps', 'plural'],
    ...['renderConnectProblem', 'renderSection', 'tooComplex', 'switchRow', 'switchBox', 'groupRow'],
  ],
  'a form that its owner fills in': ['createServerLookup'],
  'an address and a text that is cut': ['readClippedHtml'],
  'a cookie of the preferences': ['parsePrefs'],
  'code of 50,000 characters at most, read by the parser of its language': ['spansOf'],
  'cards by their ids, of which it compares the places': ['shapeOf'],
  'a pattern of a route': ['areaOf'],
  'stores a text in the browser, or sanitizes it there': [
    ...['unsavedNames', 'unsavedPrefix', 'loadUnsaved', 'storeUnsaved', 'trustMarkup'],
    ...['removeWaiting', 'storeChosenSpace'],
  ],
  'measured in lib': ['readEvents'],
  'measured in createEmbedder, below': ['createEmbedder'],
  'measured in findMention': ['findGuest', 'namedIn', 'otherMentions'],
  'measured in headingsOf': ['blocksOf'],
  'measured in markdownToHtml': [
    ...['imageHtml', 'lineOfParagraph', 'linkHtml', 'renderMarkdown', 'renderPlain', 'richRenderers'],
  ],
  'measured in mergeWithMarkers': ['describeMerge'],
  'measured in renderCardContent': ['renderCardBody', 'renderConflicts', 'renderProvenance', 'renderReply'],
  'measured in renderDiff': ['renderHunks'],
}

/** Parts of the app and of the browser: what they do with a text is a function of its own. */
const parts = new RegExp(
  `: (?:Pick<|\\{ app: )?(?:${[
    ...['App', 'AppContext', 'ViewContext', 'LoadContext', 'InboxContext', 'RoutingContext', 'TaskContext'],
    ...['ThreadContext', 'TurnContext', 'Api', 'Reader', 'FollowOptions', 'HTMLElement', 'AbortSignal'],
    ...['Keys', 'Store', 'Storage'],
  ].join('|')})\\b`,
)

const measured = new Set(Object.keys({ ...functions, ...slower }).map((name) => name.split(',', 1)[0]))
const named = new Set(Object.values(elsewhere).flat())
const found = exportsTakingText(['public'])
const runs = await Promise.all(
  found
    .filter(
      ({ name, parameters }) => !measured.has(name) && !named.has(name) && !parts.test(parameters.join()),
    )
    .map(async (taking) => ({ ...taking, run: await loadRun(taking) })),
)

test('every function that takes text is measured, or named with the reason why not', () => {
  const names = new Set(found.map(({ name }) => name))

  expect(runs.filter(({ run }) => !run).map(({ file, name }) => `${file}: ${name}`)).toEqual([])
  expect([...named].filter((name) => !names.has(name))).toEqual([])
})

test.each([
  ...Object.entries(functions),
  ...runs.flatMap(({ name, run }) => (run ? [[name, run] as const] : [])),
])('%s takes linear time', (_, prepare) => {
  expect(slowShapes(prepare)).toEqual([])
})

test.each(Object.entries(slower))('%s takes linear time', (_, prepare) => {
  expect(slowShapes(prepare, { minLength })).toEqual([])
})

/** For what grows in number with a text. */
const own: Record<string, GrowthOptions & { prepare: Prepare }> = {
  'short blocks and headings': {
    prepare: functions.markdownToHtml!,
    shapes: { 'short paragraphs': repeat('A line.\n\n'), headings: repeat('# A\n') },
    minLength,
  },
  'footnotes, comments, formulas and tags': {
    prepare: functions.markdownToHtml!,
    shapes: {
      definitions: repeat('[^a]: b\n'),
      'definitions in paragraphs': repeat('a\n[^a]: b\n\n'),
      'marks of one footnote': (length) => `${repeat('[^a]')(length)}\n\n[^a]: b`,
      'footnotes within footnotes': (length) =>
        Array.from({ length: length / 20 }, (_, n) => `[^${n}]: [^${n + 1}]\n`).join(''),
      'comments in one paragraph': repeat('%% a\n'),
      'comments on lines of their own': repeat('a\n%%\nb\n\n%%\n'),
      'comments that never end': repeat('a\n\n%%%\n'),
      highlights: repeat('==a=b '),
      formulas: repeat('$a$ b '),
      'formulas that never end': repeat('$a '),
      'displayed formulas that never end': repeat('$$ a\n'),
      'formulas within formulas': repeat('$$$a'),
      'tags that are never closed': repeat('<sub>'),
      'tags of pages': repeat('#a '),
      'tags that touch': repeat('#a#'),
      'tags closed in another order': repeat('<u><s></u>'),
      'tables within tables': repeat('<table>\n<tr>\n<td>\n'),
    },
    minLength,
  },
  'a heading of white space, marks and unclosed links': {
    prepare: functions['headingsOf, one heading']!,
    shapes: {
      'white space between words': (length) => `a${repeat(' ')(length)}b`,
      'marks at its end': (length) => `a ${repeat('#')(length)}b`,
      'links in parentheses': repeat('[a]((b) '),
    },
  },
  'as many links as a text names': {
    prepare(text) {
      const links = piecesOf(text, 8).map((name) => linkTo(`a ${name.trim()}`))
      const linked = links.map(({ name }) => `[[${name}]]`)
      const items = [{ name: 'links', values: linked, type: 'list' as const, value: linked }]
      return () => [
        markdownToHtml(linked.join('\n\n'), { slug: 'light', links }),
        renderProperties({ items, too_complex: false }, { slug: 'light', links, now }),
      ]
    },
    shapes: { 'names that are all different': hostileShapes['lines that are all different']! },
    minLength,
  },
  'markdownToHtml, with breaks and labels first': {
    prepare: (text) => () =>
      markdownToHtml(text, { slug: 'light', links: [], breaks: true, labelFirst: true }),
    shapes: {
      lines: repeat('a line\n'),
      'blanks before a break': repeat(`${' '.repeat(50)}\n`),
      'links that never close': repeat('[[a|'),
      'bars in links': repeat('[[a|b|c]] '),
    },
  },
  'as many embedded parts as a page has lines': {
    prepare(text) {
      const pages = [{ id: 'p', title: 'Lamps', path: 'Lamps.md', body: text, links: [], label_first: false }]
      const embeds = piecesOf(text, 8).map((_, n) => `![[lamps#part ${n}]]`)
      return () =>
        markdownToHtml(embeds.join('\n\n'), {
          slug: 'light',
          links: [linkTo('lamps')],
          embed: createEmbedder('top', pages),
        })
    },
    shapes: { 'no such part': repeat('A line.\n\n'), 'other parts': repeat('# A\n\n') },
    minLength,
  },
  'a passage of words that repeat': {
    prepare: functions['locatePassage, one that is not there']!,
    shapes: { 'the same word': repeat('a '), 'two words': repeat('a b a ') },
  },
}

test.each(Object.entries(own))('%s: linear time', (_, { prepare, ...options }) => {
  expect(slowShapes(prepare, options)).toEqual([])
})
