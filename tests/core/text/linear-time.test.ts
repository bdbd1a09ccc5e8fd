// Text from outside is handled in linear time, whatever it is. Each exported function that takes text runs on n and on
// 2n characters of shapes that are made to be slow: by itself where its parameters are texts, else as is said here.

import { expect, test } from 'vitest'
import { filterMarks } from '../../../lib/ai/adapt/citation-marks.ts'
import { isSpace } from '../../../lib/ai/agent/check-proposal.ts'
import { renderLines } from '../../../lib/ai/agent/render.ts'
import type { ReadResult } from '../../../lib/ai/agent/services.ts'
import { letterHead, readLetter } from '../../../lib/ai/offline/letters.ts'
import { piecesOf } from '../../../lib/ai/offline/reply.ts'
import { respond } from '../../../lib/ai/offline/respond.ts'
import { isTooLong, readFailure, readOverflow } from '../../../lib/ai/wires/failure.ts'
import { splitThinking } from '../../../lib/ai/wires/think-tags.ts'
import { keptSpans } from '../../../lib/changes/blame/kept-spans.ts'
import { textChange } from '../../../lib/changes/card/text-change.ts'
import { addedQuotes } from '../../../lib/changes/grounding/find-quotes.ts'
import { judgeOutside, ordersChange } from '../../../lib/changes/grounding/judge-outside.ts'
import { createQuoteSource, judgeQuote } from '../../../lib/changes/grounding/judge-quote.ts'
import { applyEdits, parseEdit } from '../../../lib/changes/propose/apply-edits.ts'
import { checkAsk, composeNudge } from '../../../lib/companion/glance/rules/check-ask.ts'
import { composeAction } from '../../../lib/companion/glance/rules/compose-action.ts'
import { isAutomated, type JudgedMessage } from '../../../lib/companion/glance/rules/judge-thread.ts'
import { isSender, matchThreads } from '../../../lib/companion/glance/rules/match-thread.ts'
import { toDigestMessage } from '../../../lib/companion/prompt/digest.ts'
import { imageProblem } from '../../../lib/companion/prompt/read-image.ts'
import { cutLines } from '../../../lib/companion/reading/read-entity.ts'
import { isNoClaim } from '../../../lib/companion/research/rules/is-no-claim.ts'
import { isThin } from '../../../lib/companion/research/rules/is-thin.ts'
import { readMessage } from '../../../lib/companion/research/rules/read-message.ts'
import { reservationFor } from '../../../lib/companion/research/run/budget.ts'
import { flagsBetween } from '../../../lib/companion/research/verify/flags.ts'
import { readStatement } from '../../../lib/companion/research/verify/statement.ts'
import { claimsOfDeeds } from '../../../lib/companion/trial/answer-words.ts'
import { summarizeByWords } from '../../../lib/companion/turn/summarize-by-words.ts'
import { rewriteCanvas, rewriteCanvasText } from '../../../lib/content/links/rewrite-canvas.ts'
import { renameLinks, rewriteLinks } from '../../../lib/content/links/rewrite-links.ts'
import { beginningOf } from '../../../lib/core/text/beginning.ts'
import { cutAtWord, exceededBound, readBoundedJson } from '../../../lib/core/text/bounds.ts'
import { chunkText, splitLong } from '../../../lib/core/text/chunk.ts'
import { placesOf } from '../../../lib/core/text/cited/citation-places.ts'
import { citedMarkdown } from '../../../lib/core/text/cited/cited-markdown.ts'
import { splitLines } from '../../../lib/core/text/clean.ts'
import { aroundPictures, restorePictures } from '../../../lib/core/text/data-pictures.ts'
import { fillTemplate, formatMoment } from '../../../lib/core/text/dates/format-moment.ts'
import { readDays } from '../../../lib/core/text/dates/read-days.ts'
import { diffText } from '../../../lib/core/text/diff/diff-text.ts'
import { diffWords } from '../../../lib/core/text/diff/diff-words.ts'
import { applyHunks, lineDiff } from '../../../lib/core/text/diff/hunks.ts'
import { mergeText } from '../../../lib/core/text/diff/merge-text.ts'
import { isDrawing } from '../../../lib/core/text/drawings.ts'
import { ownWords, splitFolds } from '../../../lib/core/text/folds.ts'
import { blockReferenceAt } from '../../../lib/core/text/links/block-reference.ts'
import { definitionAt, destinationIn } from '../../../lib/core/text/links/destination-at.ts'
import { maskCode, readLinks } from '../../../lib/core/text/links/read-links.ts'
import { scanLeaf } from '../../../lib/core/text/links/scan-leaf.ts'
import { findFolds } from '../../../lib/core/text/mail/find-folds.ts'
import {
  chooseMemory,
  findSameLine,
  readMemory,
  replaceMemoryLine,
} from '../../../lib/core/text/memory/memory-lines.ts'
import { editProperties } from '../../../lib/core/text/properties/edit-properties.ts'
import { otherNames } from '../../../lib/core/text/properties/line-properties.ts'
import { closedTag, joinTag } from '../../../lib/core/text/properties/tag.ts'
import { typedProperty } from '../../../lib/core/text/properties/typed-properties.ts'
import { showLine } from '../../../lib/core/text/quote-name.ts'
import { splitNote } from '../../../lib/core/text/split-note.ts'
import { countRuns, holdsText } from '../../../lib/core/text/words/holds-text.ts'
import { longestRuns } from '../../../lib/core/text/words/longest-runs.ts'
import { citedLine, createExcerpts } from '../../../lib/search/snippet.ts'
import { bestLines } from '../../../lib/search/words/best-lines.ts'
import { exportsTakingText, loadRun } from '../../helpers/exports-taking-text.ts'
import { changeLines, slowShapes } from '../../helpers/growth.ts'

const backwards = (text: string): string => splitLines(text).reverse().join('')

/** Of a quotation that is checked. */
const maxQuoteChars = 50_000

const sourceOf = (text: string) => createQuoteSource({ entity_type: 'page', entity_id: '', title: '' }, text)

const citationsIn = (text: string) =>
  Array.from({ length: text.length / 64 }, (_, n) => ({
    ...{ n: n + 1, end: n * 64, kind: 'page', id: 'p', title: '', checked: true },
    cited_text: text.slice(n * 64, n * 64 + 64),
  }))

/** Each with what it is called with for a text. */
const mailOf = (text: string): JudgedMessage => ({
  ...{ id: 'm', subject: text, sent_at: '2026-11-23T10:00:00Z', direction: 'received', to: [], folds: [] },
  ...{ from: { name: text, address: text }, automated: false, answered: false, text: '' },
})

/** Every other line. */
const foldsOf = (text: string) =>
  [...text.split('\n').keys()].flatMap((at) =>
    at % 2 === 1 ? [{ kind: 'quote', from_line: at + 1, to_line: at + 1 }] : [],
  )

const functions: Record<string, (text: string) => () => unknown> = {
  isSpace: (text) => () => isSpace(text, text),
  splitFolds: (text) => () => splitFolds(text, foldsOf(text)),
  ownWords: (text) => () => ownWords(text, foldsOf(text)),
  showLine: (text) => () => showLine(text),
  'isDrawing, by its front matter': (text) => () => isDrawing({ path: text, body: text }),
  'composeAction, of a subject and a sender': (text) => () =>
    composeAction({ message: { subject: text, from: { name: text, address: text } }, due: text }, []),
  'readFailure, of any words': (text) => () => {
    const failure = readFailure({ error: text }, 400)
    return [isTooLong(failure), readOverflow(failure), readFailure(`<html>${text}`, 500)]
  },
  'filterMarks, in pieces': (text) => () => {
    const filter = filterMarks((number) => number < 50)
    return [...(text.match(/[\s\S]{1,7}/g) ?? []).map(filter.push), filter.end()]
  },
  'splitThinking, in pieces': (text) => () => {
    const splitter = splitThinking()
    return [...(`<think>${text}`.match(/[\s\S]{1,7}/g) ?? []).map(splitter.push), splitter.end()]
  },
  'bestLines, of a few words': (text) => () => bestLines(text, ['lamp', 'nothing', 'a'], 1500),
  'otherNames, of a title and a text': (text) => () => [
    otherNames(text, text),
    otherNames('a', `alias:: ${text}`),
  ],
  'closedTag, of any text': (text) => () =>
    [...`#${text} #a `.matchAll(closedTag)].map(([, tag]) => joinTag(tag!)),
  'fillTemplate, of any text': (text) => () =>
    fillTemplate(text, { title: text.slice(0, 500), day: '2026-11-24', time: '10:00' }),
  'formatMoment, any pattern': (text) => () => formatMoment({ day: '2026-11-24', time: '10:00' }, text),
  'editProperties, of a text': (text) => () =>
    editProperties(`---\na: 1\n${text}`, { set: { name: 'a', value: 2 } }),
  'typedProperty, of one value': (text) => () => typedProperty('name', text),
  'exceededBound, of any bytes': (text) => {
    const bytes = Buffer.from(text)
    return () => exceededBound(bytes, { values: bytes.length, depth: bytes.length })
  },
  'readBoundedJson, of a list of texts': (text) => {
    const json = JSON.stringify(text.split('\n'))
    return () => readBoundedJson(json, { depth: 20, values: 500 })
  },
  'cutLines, all that fits': (text) => () => cutLines(text, { from: 1, max: text.length }),
  'parseEdit, of any words': (text) => () => [
    parseEdit({ old_text: text, new_text: text } as object),
    parseEdit({ lines: text, new_text: '' } as object),
  ],
  'applyEdits, words that are not there and all lines': (text) => {
    const last = text.split('\n').length
    return () => {
      try {
        return applyEdits(text, [
          { lines: `1-${last}`, new_text: text },
          { old_text: `${text}never`, new_text: '' },
        ])
      } catch (error) {
        return error
      }
    }
  },
  'claimsOfDeeds, of an answer': (text) => () => claimsOfDeeds(text, true),
  'countRuns, a few words': (text) => () => countRuns({ text, words: 'a b' }),
  'renderLines, of a text': (text) => {
    const lines = text.split('\n')
    const result = { entity_type: 'page', entity_id: '', title: '', ordinal: null } as unknown as ReadResult
    return () => renderLines(result, lines, 1)
  },
  'addedQuotes, every other line': (text) => {
    const other = changeLines(text, 2)
    return () => addedQuotes(text, other, 200)
  },
  'judgeOutside, every other line': (text) => {
    const written = [{ before: text, after: changeLines(text, 2) }]
    const change = { action: 'delete', label: 'page', title: text.slice(0, 300) } as const
    return () => judgeOutside({ written, change, said: [text], own: [text], sources: [[text]] })
  },
  'judgeOutside, of many sources': (text) => {
    const sources = Array.from({ length: text.length / 400 }, (_, n) => [text.slice(n * 400, n * 400 + 400)])
    const written = [{ before: '', after: text }]
    const change = { action: 'create', label: 'page', title: '' } as const
    return () => judgeOutside({ written, change, said: [], own: [], sources })
  },
  'ordersChange, of a page': (text) => {
    const change = { action: 'delete', label: 'page', title: text.slice(0, 300) } as const
    return () => ordersChange(text, change, text)
  },
  'judgeQuote, its words in another order': (text) => {
    const source = sourceOf(text)
    const quote = `never ${backwards(text).slice(0, maxQuoteChars)} never`
    return () => judgeQuote(quote, [source])
  },
  'longestRuns, of a quotation': (text) => {
    const words = text.match(/\S{1,8}/g) ?? []
    return () => longestRuns(words.slice(0, 600), words)
  },
  'respond, until its first call': (text) => () => respond(text, new Date(0)).next(),
  'piecesOf, one block': (text) => () => piecesOf([text]),
  'checkAsk, of a mail': (text) => {
    const mail = { ...mailOf(text), text }
    return () => checkAsk({ ask: text.slice(0, 200), kind: 'request', due: text.slice(0, 50) }, mail)
  },
  'composeNudge, all its texts': (text) => () =>
    composeNudge(mailOf(text), { sentence: text, kind: 'request', due: text }),
  readDays: (text) => () => readDays(text, new Date(0)),
  'isAutomated, a mail': (text) => () =>
    isAutomated({ from: { name: text, address: text }, automated: false }),
  'isSender, a name': (text) => () => isSender(text, { name: text, address: text }),
  'matchThreads, a subject': (text) => {
    const senders = [{ name: text, address: text }]
    return () => matchThreads({ subject: text, sender: text }, [{ id: '', base_subject: text, senders }])
  },
  'imageProblem, a PNG': (text) => {
    const bytes = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(text)])
    return () => imageProblem(bytes, 'image/png')
  },
  'createQuoteSource, its words and names': (text) => () => {
    const { vocabulary, names } = sourceOf(text)
    return [vocabulary, names]
  },
  'renameLinks, of one name': (text) => () => renameLinks(text, 'a', 'b'),
  'readMessage, to a run that waits': (text) => () => readMessage(text, { breakOut: text, isElse: true }),
  'readStatement, a sentence': (text) => () => readStatement(text),
  // Each pair of words is compared: a claim has at most 2,000 characters, a sentence 1,200.
  'flagsBetween, a claim and a sentence': (text) => () =>
    flagsBetween(text.slice(0, 2000), [text.slice(0, 1200)]),
  'isNoClaim, a line': (text) => () => isNoClaim(text),
  'reservationFor, of a request': (text) => () => reservationFor([text, text], 100, null),
  'cutAtWord, a line': (text) => () => cutAtWord(text, text.length - 1),
  'citedLine, one word': (text) => () => citedLine(text.slice(0, text.length / 4), ['links']),
  'createExcerpts, two words': (text) => {
    const excerptOf = createExcerpts(['a', 'href'])
    return () => excerptOf(text.slice(0, text.length / 4))
  },
  'scanLeaf, without definitions': (text) => () => scanLeaf(text, { defined: new Set() }),
  'scanLeaf, of front matter': (text) => () => scanLeaf(text, { plain: true, defined: new Set(['a']) }),
  'readLinks, everywhere': (text) => () => readLinks(text, { everywhere: true }),
  'maskCode, of everything': (text) => () => maskCode(text, { everything: true }),
  'rewriteLinks, each link': (text) => () => rewriteLinks(text, () => 'b/c.md'),
  'blockReferenceAt, the start': (text) => () => blockReferenceAt(text, 0),
  'readLinks, label first': (text) => () => readLinks(text, { labelFirst: true }),
  'definitionAt, the start': (text) => () => definitionAt(text, 0),
  'destinationIn, the start': (text) => () => destinationIn(text, 0),
  splitNote: (text) => () => splitNote(text),
  'splitLong, in one piece': (text) => () =>
    splitLong(text, { start: 0, end: text.length }, { target: 1200, maximum: 2000, whole: false }),
  'summarizeByWords, one question': (text) => () => summarizeByWords([text], text),
  'toDigestMessage, long': (text) => () => toDigestMessage(text),
  'holdsText, half of a text': (text) => () =>
    holdsText({ text, words: `${text.slice(0, text.length / 2)} never` }),
  'diffWords, in another order': (text) => {
    const part = text.slice(0, text.length / 4)
    const other = [...part].reverse().join('')
    return () => diffWords(part, other)
  },
  'placesOf, a citation for every few words': (text) => {
    const citations = citationsIn(text)
    return () => placesOf(text, citations)
  },
  'citedMarkdown, a citation for every few words': (text) => {
    const citations = citationsIn(text)
    return () => citedMarkdown(text, citations, () => '/')
  },
  'diffText, in another order': (text) => {
    const other = backwards(text)
    return () => diffText(text, other)
  },
  'applyHunks, every other line': (text) => {
    const other = changeLines(text, 2)
    return () => applyHunks(text, other, new Set([1, 3, 5]))
  },
  'textChange, a new text': (text) => () => textChange('', text),
  'textChange, every other line': (text) => {
    const other = changeLines(text, 2)
    return () => textChange(text, other)
  },
  'lineDiff, every other line': (text) => {
    const other = changeLines(text, 2)
    return () => lineDiff({ before: text, after: other, max: 1500 })
  },
  'mergeText, every other and every third line': (text) => {
    const [current, draft] = [changeLines(text, 2), changeLines(text, 3)]
    return () => mergeText({ base: text, current, draft })
  },
  'mergeText, two orders': (text) => {
    const [current, draft] = [backwards(text), changeLines(backwards(text), 3)]
    return () => mergeText({ base: text, current, draft })
  },
  'keptSpans, every other line': (text) => {
    const other = changeLines(text, 2)
    return () => keptSpans(text, other)
  },
  'rewriteCanvas, of cards': (text) => {
    const json = JSON.stringify({ nodes: [{ file: text, text: `[[${text}]]` }] })
    return () => rewriteCanvas(json, { cards: new Map([[text, 'A.md']]), choose: () => 'A.md' })
  },
  'rewriteCanvasText, of a text with links': (text) => {
    const links = `[[a]] ${text}`
    return () => rewriteCanvasText(links, { cards: new Map([['a', 'A.md']]), choose: () => 'A.md' })
  },
  'beginningOf, a passage that is not there': (text) => () =>
    beginningOf(text, { title: 'a', heading: 'b#c', passage: 'never' }),
  'restorePictures, of a text in a picture': (text) => {
    const marked = text.replaceAll('a', 'data:image/png;base64,…1kB-00000000')
    return () => restorePictures(marked, text)
  },
  'aroundPictures, one after the other': (text) => {
    const pictures = `](data:image/png;base64,${'A'.repeat(200)})`.repeat(text.length / 50)
    return () => aroundPictures(pictures)
  },
  'chunkText, of pictures': (text) => {
    const pictures = `\n\n![a](data:image/png;base64,${'A'.repeat(200)})`.repeat(text.length / 50)
    return () => chunkText(pictures)
  },
  'replaceMemoryLine, its first': (text) => () => replaceMemoryLine(text, { at: 0 }, text),
  'chooseMemory, of a page': (text) => {
    const pages = [{ lines: readMemory(text), changed: '2031-04-01' }]
    return () => chooseMemory(pages, '2031-04-01')
  },
  'findSameLine, one that is not there': (text) => {
    const lines = readMemory(text)
    return () => findSameLine(lines, 'never')
  },
  'isThin, a question': (text) => () => isThin(text, 'deep'),
  'findFolds of lines': (text) => {
    const lines = text.split('\n').map((plain) => ({ markdown: plain, plain, depth: 0, mark: null }))
    return () => findFolds(lines, false)
  },
  'readLetter of two blocks': (text) => () => readLetter([text, text]),
  'letterHead, a title and a sender': (text) => () =>
    letterHead({ title: text, fields: { from_name: text } }),
  'keptSpans, in another order': (text) => {
    const other = backwards(text)
    return () => keptSpans(text, other)
  },
}

/** Not measured, by the reason. */
const elsewhere: Record<string, readonly string[]> = {
  'a word, a name, an id or a number': [
    ...[
      'amount',
      'bindWords',
      'createMeter',
      'call',
      'completions',
      'distanceFrom',
      'emojiWord',
      'fieldLabel',
      'isFromOutside',
    ],
    ...[
      'isSameName',
      'isSameWord',
      'isWeighty',
      'keyOf',
      'kindNamed',
      'labelOf',
      'modelNameFor',
      'meantBy',
      'planQuery',
      'priceOf',
      'slipsOf',
      'sparseVector',
      'stem',
    ],
    ...['listPages', 'targetOf', 'refreshPanel', 'wordsToMark', 'remember', 'effectOf'],
    ...[
      'canName',
      'cutBytes',
      'joinPath',
      'linkName',
      'namesSought',
      'quoteContext',
      'quoteInYaml',
      'rankOf',
    ],
    ...['createResolver', 'leadsByPath', 'resolveName', 'spellTarget'],
  ],
  'a value, a row or a draft, whose texts others compare': [
    ...['asApplied', 'changedFields', 'conversationsLast', 'draftTexts', 'isText'],
    ...['stretchesOf', 'warnRemoteImages'],
  ],
  'what a model said in one response, which its limit of tokens bounds': [
    ...['endsTurn', 'normalizeResponse', 'propose', 'readJsonAnswer', 'toolUseIds', 'toModelError'],
  ],
  'a call of a tool, whose keys are bounded': ['checkProposal'],
  'words of the server': [
    'renderPrompt',
    ...['describeOutcome', 'digestLines', 'lastEvent', 'outcomeLine', 'plainTextRefusal', 'refusing', 'say'],
    ...['textAfterSteps', 'toQuestion'],
  ],
  'takes lines that are cut to a length': ['shorten'],
  'a due date, a day of ten letters': ['nextOccurrence'],
  'an address of 2,000 characters at most': ['isAnthropic', 'readServerAddress'],
  'measured in addedQuotes': ['readAddedQuotes'],
  'measured in judgeQuote': ['failedQuotes', 'isVerbatim'],
  'measured in readMessage': ['takeUp'],
  'measured in readStatement': ['findAll', 'matchClaims'],
  'run by the worker that verifies claims, within its limits': [
    ...['findConflicts', 'findContradictions', 'findCopies', 'isOnOneThing'],
  ],
  'two sentences, of which it quotes the beginning': ['ledgerEntry'],
  'measured in textChange': ['linksByRange', 'makeCardOfKind'],
  'joins texts and reads none': [
    'planText',
    'answerToRun',
    'uncheckedClaim',
    'withEdits',
    'createStreamFold',
    'readEvents',
    'withFileNames',
  ],
}

/** Parts of the server: what it does with a text is a function of its own. */
const parts =
  /: (?:Queryable|Database|Actor|Kinds|Ledger|Turn|AgentRow|\w*Deps|Pick<StartTurn|StopDeps|PendingChange)\b/

const measured = new Set(Object.keys(functions).map((name) => name.split(',', 1)[0]))
const named = new Set(Object.values(elsewhere).flat())
const runs = await Promise.all(
  exportsTakingText([
    'lib/core/text',
    'lib/changes',
    'lib/content/links',
    'lib/search',
    'lib/companion',
    'lib/ai',
  ])
    .filter(
      ({ name, parameters }) => !measured.has(name) && !named.has(name) && !parts.test(parameters.join()),
    )
    .map(async (found) => ({ ...found, run: await loadRun(found) })),
)

test('every function that takes text is measured, or named with the reason why not', () => {
  expect(runs.filter(({ run }) => !run).map(({ file, name }) => `${file}: ${name}`)).toEqual([])
})

test.each([
  ...Object.entries(functions),
  ...runs.flatMap(({ name, run }) => (run ? [[name, run] as const] : [])),
])('%s takes linear time', (_, prepare) => {
  expect(slowShapes(prepare)).toEqual([])
})

test('a quotation is judged in linear time against a text in which its words begin alike', () => {
  const judge = (text: string) => {
    const source = sourceOf(text)
    return () => judgeQuote('a a c a a b a a '.repeat(100), [source])
  }

  expect(slowShapes(judge, { shapes: { alike: (length) => 'a a b '.repeat(length / 6) } })).toEqual([])
})
