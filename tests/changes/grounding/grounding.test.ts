import { expect, test } from 'vitest'
import type { Card } from '../../../lib/contract/changes/card.ts'
import type { QuoteCheck } from '../../../lib/contract/changes/provenance.ts'
import { quoteWords } from '../../../lib/core/text/words/quote-words.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'
import { bodyOf, createDice, makeFalse, makeTexts, makeTrue, type Quotation } from './quote-corpus.ts'

const void_ = await buildApp()
const { owner } = void_
const world = await makeWorld(void_)
const { token } = await makeAgent(void_, { slug: 'scribe' })
const scribe = void_.as(token)
const pages = `/api/spaces/${world.space.id}/pages`

async function checksOf(body: string): Promise<QuoteCheck[]> {
  const { body: draft } = await scribe.post(pages).send({ title: 'Report', body })
  const answer: { body: { card: Card } } = await owner.get(`/api/pending-changes/${draft.id}`)
  return answer.body.card.fields.flatMap(({ text }) => text?.hunks.flatMap(({ quotes }) => quotes) ?? [])
}

const said = ({ words, source }: Quotation, n: number) =>
  n % 2 === 0
    ? `> ${words.replaceAll('\n', '\n> ')}\n${source ? `> — [[${source}]]\n` : ''}`
    : `It is written: “${words}”${source ? ` ([[${source}]])` : ''}.\n`

test('of four hundred quotations the false ones are found and the true ones left alone', async () => {
  const seed = 20_310_401
  const dice = createDice(seed)
  const texts = makeTexts(dice, 40)
  for (const text of texts) await owner.post(pages).send({ title: text.title, body: bodyOf(text) })
  const corpus = texts.map((text) => ` ${quoteWords(bodyOf(text)).join(' ')} `)
  const stands = (words: string, title?: string | null) =>
    corpus.some(
      (text, n) => (!title || texts[n]!.title === title) && text.includes(` ${quoteWords(words).join(' ')} `),
    )
  const isFalse = ({ words, source, kind }: Quotation) =>
    !stands(words, kind === 'misattributed' ? source : null)
  const quotations = (['fabricated', 'spliced', 'altered', 'misattributed'] as const).flatMap((kind) => {
    const made: Quotation[] = []
    while (made.length < 50) made.push(...[makeFalse(dice, texts, kind)].filter(isFalse))
    return made
  })
  while (quotations.length < 400) quotations.push(makeTrue(dice, texts))

  const verdicts: { kind: Quotation['kind']; verdict: string; words: string }[] = []
  for (let from = 0; from < quotations.length; from += 40) {
    const part = quotations.slice(from, from + 40)
    const checks = await checksOf(part.map((one, n) => said(one, n)).join('\n'))
    for (const { kind, words, source } of part) {
      const check = checks.find(
        ({ quote, attributed_to }) =>
          attributed_to === source && quoteWords(quote).join() === quoteWords(words).join(),
      )
      verdicts.push({ kind, words, verdict: check?.verdict ?? 'overlooked' })
    }
  }

  const isFaithful = ({ words, verdict }: { words: string; verdict: string }) =>
    verdict === 'verbatim' || (verdict === 'shortened' && words.includes('…'))
  const wrong = verdicts.filter((one) => (one.kind === 'true') !== isFaithful(one))
  const missed = wrong.filter(({ kind }) => kind !== 'true')
  const alarms = wrong.filter(({ kind }) => kind === 'true')
  expect(missed.length, JSON.stringify({ seed, missed })).toBeLessThanOrEqual(2)
  expect(alarms.length, JSON.stringify({ seed, alarms })).toBeLessThanOrEqual(2)
  for (const kind of ['spliced', 'altered', 'misattributed'] as const) {
    const named = verdicts.filter((one) => one.kind === kind && one.verdict === kind)
    expect([kind, named.length >= 40]).toEqual([kind, true])
  }
}, 240_000)

test('a quotation is shown at its hunk, with what it is said to be from and what comes nearest', async () => {
  const { body: page } = await owner.post(pages).send({ title: 'Summary', body: 'One.\n\nTwo.\n' })
  const added = 'One.\n\n> The lamp turns once in twenty seconds.\n> — [[The lamp]]\n\nTwo.\n'
  const { body: draft } = await scribe.patch(`/api/pages/${page.id}`).send({ version: 1, body: added })

  const { body } = await owner.get(`/api/pending-changes/${draft.id}`)

  expect(body.card.fields[0].text.hunks).toMatchObject([
    {
      quotes: [
        {
          quote: 'The lamp turns once in twenty seconds.',
          verdict: 'altered',
          attributed_to: 'The lamp',
          source: { entity_id: world.lamp.id, title: 'The lamp' },
          nearest: expect.stringContaining('the lamp turns once in twelve seconds'),
        },
      ],
    },
  ])
  expect(body.card.warnings).toContainEqual(
    expect.objectContaining({ code: 'quote_unfaithful', field: 'body', hunk: 0 }),
  )
})

test('what is quoted from something that is not here is said to be unchecked', async () => {
  const [check] = await checksOf('> It was the best of times and the worst.\n> — [[A Tale of Two Cities]]\n')

  expect(check).toMatchObject({ verdict: 'unchecked', attributed_to: 'A Tale of Two Cities', source: null })
})

test('a quotation that stood there before is not judged again', async () => {
  const before = 'Intro.\n\n> Words that stand nowhere else at all.\n'
  const { body: page } = await owner.post(pages).send({ title: 'Old quotation', body: before })
  const { body: draft } = await scribe
    .patch(`/api/pages/${page.id}`)
    .send({ version: 1, body: '> Words that stand nowhere else at all.\n\nIntro, moved.\n' })

  const { body } = await owner.get(`/api/pending-changes/${draft.id}`)

  expect(body.provenance.quotes).toEqual([])
})

test('more quotations than can be checked are said to be unchecked, not passed over', async () => {
  const many = Array.from(
    { length: 60 },
    (_, n) => `> The lamp turns once in twelve seconds, number ${n}.\n\nText.\n\n`,
  )

  const checks = await checksOf(many.join(''))

  expect(checks).toHaveLength(60)
  expect(checks.filter(({ verdict }) => verdict === 'unchecked')).toHaveLength(20)
})

test('another Space is no source', async () => {
  const secret = 'The key of the office lies under the third stone.'
  await owner.post(`/api/spaces/${world.other.id}/pages`).send({ title: 'Secret', body: secret })

  const [check] = await checksOf(`> ${secret}\n`)

  expect(check).toMatchObject({ verdict: 'not_found', source: null, nearest: null })
})

test('a changed credit is checked and says so', async () => {
  const words = '> The lamp burns rapeseed oil; the tank holds 40 litres and lasts for nine nights.\n'
  const { body: page } = await owner
    .post(pages)
    .send({ title: 'Credits', body: `Intro.\n\n${words}\n— [[The lamp]]\n` })
  const { body: draft } = await scribe
    .patch(`/api/pages/${page.id}`)
    .send({ version: 1, body: `Intro.\n\n${words}\n— [[${world.lease.title}]]\n` })

  const { body } = await owner.get(`/api/pending-changes/${draft.id}`)

  expect(body.card.fields[0].text.hunks[0].quotes).toMatchObject([
    {
      verdict: 'misattributed',
      message: expect.stringContaining(`Its credit was changed from ‘The lamp’ to ‘${world.lease.title}’.`),
    },
  ])
})

test('a quotation in a title is shown with its field, and warned of', async () => {
  const title = 'It says “the lamp turns once in twenty seconds”'
  const { body: draft } = await scribe.post(pages).send({ title, body: 'x' })

  const { body } = await owner.get(`/api/pending-changes/${draft.id}`)

  const field = body.card.fields.find(({ name }: { name: string }) => name === 'title')
  expect(field.quotes).toMatchObject([{ verdict: 'altered', source: { entity_id: world.lamp.id } }])
  expect(body.card.warnings).toContainEqual(
    expect.objectContaining({ code: 'quote_unfaithful', field: 'title', hunk: null }),
  )
})

test('more than three thousand characters are checked; what is far too long says that it is not', async () => {
  const long = 'The lamp turns once in twelve seconds and it is never dark at sea. '.repeat(60).trim()
  await owner.post(pages).send({ title: 'Long', body: long })

  const [check] = await checksOf(`It says “${long}”.\n`)
  const [unchecked] = await checksOf(`It says “${long.repeat(20)}”.\n`)

  expect(check).toMatchObject({ verdict: 'verbatim', source: { title: 'Long' } })
  expect(unchecked).toMatchObject({ verdict: 'unchecked', message: expect.stringContaining('too long') })
})

test('the owner’s edit is checked again; the card stores the verdicts and where they are', async () => {
  const { body: draft } = await scribe
    .post(pages)
    .send({ title: 'Edited', body: '> The lamp turns once in twenty seconds.\n' })
  const edited = 'Intro.\n\n> The lamp turns once in twelve seconds.\n'

  const { body } = await owner
    .post(`/api/pending-changes/${draft.id}/approve`)
    .send({ edited: { title: 'Edited', body: edited } })

  expect(draft.provenance.quotes).toMatchObject([{ verdict: 'altered', lines: { from: 0, to: 1 } }])
  expect(body.provenance.quotes).toMatchObject([{ verdict: 'verbatim', lines: { from: 2, to: 3 } }])
})
