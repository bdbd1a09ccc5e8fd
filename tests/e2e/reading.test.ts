// What a text may hold beyond plain Markdown, as it is read: in both themes, by keyboard, and when the page is drawn again.

import { beforeAll, describe, expect, test } from 'vitest'
import { ownerToken } from '../helpers/build-app.ts'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

async function makePage(body: string): Promise<{ id: string; version: number; path: string }> {
  const title = `Reading ${crypto.randomUUID()}`
  const { body: made } = await site().owner.post(`/api/spaces/${world.space.id}/pages`).send({ title, body })
  return { id: made.id, version: made.version, path: `/s/skerry-light/pages/${made.id}` }
}

/** A recording of so many seconds, as WAV: 8,000 samples of a byte each second. */
function silence(seconds: number): Buffer {
  const data = Buffer.alloc(seconds * 8000, 128)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

const callouts = ['note', 'tip', 'warning', 'danger', 'quote']
  .map((kind) => `> [!${kind}] A ${kind}\n> With [[Nowhere|a link]], \`code\` and **words**.\n`)
  .join('\n')

describe('the read view', () => {
  test('shows callouts with an icon, footnotes, comments, highlights and raw HTML, all accessible', async () => {
    const text = `${callouts}\n> [!faq]- Why?\n> Because.\n\n==Marked==[^1] H<sub>2</sub>O %%an aside%%\n\n%%\nA longer aside.\n%%\n\n[^1]: A note.\n`
    const page = await site().open((await makePage(text)).path)
    await page.waitForSelector('.callout-title > svg.icon')

    expect(await page.locator('.prose .callout').count()).toBe(6)
    expect(await page.locator('.prose .callout-title > svg.icon').count()).toBe(6)
    expect(await page.locator('.prose mark').textContent()).toBe('Marked')
    const inLine = page.locator('.prose > div', { has: page.locator('mark') }).locator('.comment')
    expect(await inLine.evaluate((fold) => getComputedStyle(fold).display)).toBe('inline-block')
    await expectAccessible(page)
    for (const fold of await page.locator('.prose details > summary').all()) await fold.click()
    await page.waitForSelector('.comment-text >> text=A longer aside.')
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
  })

  test('leads to a footnote and back by keyboard', async () => {
    const page = await site().open(
      (await makePage(`First[^a].\n\n${'A line.\n\n'.repeat(80)}[^a]: The note.`)).path,
    )

    await page.focus('.footnote a')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.matches('.footnotes li'))
    await page.waitForFunction(
      () => (document.activeElement?.getBoundingClientRect().top ?? 1e9) < innerHeight,
    )
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.matches('.footnote a'))

    expect(new URL(page.url()).hash).toMatch(/^#fnref-/)
  })

  test('keeps folds open when the page is drawn again', async () => {
    const body = '> [!tip]- Fold\n> Inside.\n\nA word %%aside%%.\n'
    const made = await makePage(body)
    const page = await site().open(made.path)
    for (const fold of await page.locator('.prose details > summary').all()) await fold.click()
    await page.waitForSelector('.comment[open]')

    const changed = await site()
      .owner.patch(`/api/pages/${made.id}`)
      .send({ version: made.version, body: `${body}\nAnother line.\n` })

    expect(changed.status).toBe(200)
    await page.waitForSelector('.prose >> text=Another line.')
    expect(await page.locator('.prose details[open]').count()).toBe(2)
  })

  test('marks cited words in a footnote and in a comment, which opens', async () => {
    const { path } = await makePage('See[^1] %%the keeper drinks%% here.\n\n[^1]: Rapeseed burns clean.')
    for (const cited of ['Rapeseed burns clean.', 'the keeper drinks']) {
      const page = await site().open(`${path}?cite=${encodeURIComponent(cited)}`)

      await page.waitForFunction(() => {
        const [range] = CSS.highlights.get('cited') ?? []
        return range instanceof Range && range.getBoundingClientRect().height > 0
      })
      expect(await page.evaluate(() => String([...(CSS.highlights.get('cited') ?? [])][0]))).toContain(
        cited.replace(/\.$/, ''),
      )
      await page.context().close()
    }
  })

  test('colors code by its language, and leaves its text as it is', async () => {
    const code: [language: string, text: string][] = [
      ['ts', 'const lamp: Lamp = await light("oil", 12) // now\n@dec class Wick { #n = /x/ }'],
      ['python', 'def burn(oil: int) -> None:\n    return f"{oil}" if oil > 1 else None  # out'],
      ['html', '<p class="a">Oil &amp; wick <script>let x = 1</script></p>'],
      ['css', '.lamp:hover { color: #fff; inline-size: 12px !important }'],
      ['sh', 'if [ -f "$HOME/oil" ]; then echo "full" # yes\nfi'],
      ['sql', 'select name, 12 from lamps where oil is null -- none'],
      ['yaml', 'lamp:\n  oil: 12 # litres\n  on: true'],
      ['diff', '- old\n+ new'],
    ]
    const plain: [language: string, text: string][] = [
      ['nonsense', 'const none = 1'],
      ['__proto__', 'const none = 2'],
      ['constructor', 'const none = 3'],
    ]
    const all = [...plain, ...code]
    const fences = all.map(([language, text]) => `\`\`\`${language}\n${text}\n\`\`\`\n`)
    const page = await site().open((await makePage(fences.join('\n'))).path)
    for (const [language] of code) await page.waitForSelector(`pre[data-language=${language}] [class^=code-]`)

    const shown = await page
      .locator('.prose pre code')
      .evaluateAll((codes) => codes.map(({ textContent }) => textContent?.trimEnd()))
    expect(shown).toEqual(all.map(([, text]) => text))
    for (const [language] of plain)
      expect(await page.locator(`pre[data-language=${language}] span`).count()).toBe(0)
    await expectAccessible(page)
  })

  test('keeps cited code marked once it is colored', async () => {
    const { path } = await makePage('```ts\nconst turns = everySecond(12)\n```\n')
    const page = await site().open(`${path}?cite=${encodeURIComponent('const turns = everySecond(12)')}`)
    await page.waitForSelector('pre .code-keyword')

    await expect
      .poll(() => page.evaluate(() => String([...(CSS.highlights.get('cited') ?? [])][0])))
      .toContain('const turns = everySecond(12')
  })

  test('leaves long code in one color', async () => {
    const long = `\`\`\`ts\n${'const oil = 1\n'.repeat(4000)}\`\`\`\n`
    const page = await site().open((await makePage(`${long}\n\`\`\`ts\nlet last = 1\n\`\`\`\n`)).path)
    await page.waitForSelector('pre:last-of-type .code-keyword')

    expect(await page.locator('.prose pre').first().locator('span').count()).toBe(0)
  })

  test('draws formulas, and shows the source of one that is wrong or would never end', async () => {
    const wrong = [
      '$\\frac{1}$',
      '$\\def\\x{\\x\\x}\\x$',
      '$\\href{javascript:alert(1)}{x}$',
      '$\\htmlStyle{position:fixed}{x}$',
      '$\\fcolorbox{red}{aqua}{x}$',
      '$\\includegraphics{https://evil.example/x.png}$',
      `$$${'\\sqrt{'.repeat(300)}x${'}'.repeat(300)}$$`,
    ]
    const right = ['$\\sqrt{x^2}$', '$\\pmb{x}$', `$$\\sum_{i=1}^{n} ${'i + '.repeat(200)} n \\\\ y$$`]
    const page = await site().open((await makePage([...wrong, ...right].join('\n\n'))).path)
    await expect.poll(() => page.locator('code.math-drawn > math').count()).toBe(right.length)

    const sources = await page
      .locator('code.math:not(.math-drawn)')
      .evaluateAll((all) => all.map((each) => each.textContent))
    expect(sources).toEqual(wrong)
    expect(await page.locator('code.math[title]').count()).toBe(wrong.length)
    expect(await page.locator('.prose [style], .prose [href], .prose img').count()).toBe(0)
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate(() => document.querySelector('#content')!.scrollWidth <= innerWidth)).toBe(
      true,
    )
    await expectAccessible(page)
  })

  test('marks cited words beside a formula that is drawn', async () => {
    const { path } = await makePage('Oil burns $x^2$ times as long.\n\nThe wick is short.\n')
    const page = await site().open(`${path}?cite=${encodeURIComponent('The wick is short.')}`)
    await page.waitForSelector('math')

    await expect
      .poll(() => page.evaluate(() => String([...(CSS.highlights.get('cited') ?? [])][0])))
      .toBe('The wick is short.')
  })

  test('plays a recording of the Space, from the middle too, and goes on when the page is drawn again', async () => {
    const attached = await fetch(`${site().url}/api/spaces/${world.space.id}/attachments?name=Horn.wav`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(silence(300)),
    })
    expect(attached.status).toBe(201)
    const body = 'Listen:\n\n![[Horn.wav]]\n'
    const made = await makePage(body)
    const page = await site().open(made.path)
    const player = page.locator('.prose audio')
    await player.focus()
    await page.keyboard.press('Space')
    await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => audio.paused)).toBe(false)
    await player.evaluate((audio: HTMLAudioElement) => {
      audio.dataset.same = 'yes'
      audio.currentTime = 200
    })
    await expect
      .poll(() =>
        player.evaluate(({ seeking, currentTime }: HTMLAudioElement) => !seeking && currentTime >= 200),
      )
      .toBe(true)

    const { id, version } = made
    await site()
      .owner.patch(`/api/pages/${id}`)
      .send({ version, body: `${body}\nAnother line.\n` })
    await page.waitForSelector('.prose >> text=Another line.')

    expect(await page.locator('.prose audio').count()).toBe(1)
    expect(await player.evaluate((audio: HTMLAudioElement) => [audio.dataset.same, audio.paused])).toEqual([
      'yes',
      false,
    ])
    await expectAccessible(page)
  })

  test('ticks tasks beside a comment that holds one', async () => {
    const page = await site().open((await makePage('- [ ] Oil\n\n%%\n- [ ] Hidden\n%%\n')).path)

    await page.click('.prose[data-tickable=true] input:not(:disabled)')
    await page.waitForSelector('.toast >> text=Checked')

    expect(await page.locator('.prose input').isChecked()).toBe(true)
  })
})
