import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { ModelError } from '../../lib/ai/model.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeWorld, type World } from '../helpers/world.ts'
import { fakeSource } from '../outside/sources/source-helpers.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const refused = new ModelError('model_unauthorized', 'The model provider rejected the API key.', {
  retryable: false,
})
const site = useSite({ callModel: scriptedModel([{ text: 'OK' }, { error: refused }]) })
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

describe('sources', () => {
  test('one is added, tested, its tools are given policies, and it is removed', async () => {
    const page = await site().open('/settings/sources')
    const { command, args } = fakeSource('')

    await page.fill('#source-name', 'Fake')
    await page.fill('#source-place', command)
    await page.fill('#source-args', args.join('\n'))
    await page.fill('#source-values', 'FAKE=\nAPI_TOKEN=secret-never-shown')
    await page.click('text=Add source')
    await page.waitForSelector('[aria-label="Tools of Fake"] >> text=delete_all')
    await expectAccessible(page)
    expect(await page.content()).not.toContain('secret-never-shown')
    await page.selectOption('[aria-label="Policy of delete_all"]', 'off')
    await page.waitForSelector('text=Set delete_all: off.')

    const { body } = await site().owner.get(`/api/spaces/${world.space.id}/sources`)
    const source = body.items[0] ?? (await allSources())[0]
    const { body: tools } = await site().owner.get(`/api/sources/${source.id}/tools`)
    expect(tools.items).toContainEqual(expect.objectContaining({ name: 'delete_all', policy: 'off' }))

    await page.click('[aria-label="Remove Fake"]')
    await page.click('[aria-label="Remove Fake permanently"]')
    await page.waitForSelector('text=No sources yet.')
  })

  async function allSources() {
    const { body } = await site().owner.get('/api/spaces')
    const lists = await Promise.all(
      body.items.map(({ id }: { id: string }) => site().owner.get(`/api/spaces/${id}/sources`)),
    )
    return lists.flatMap(({ body }) => body.items)
  }
})

describe('secrets', () => {
  test('one is stored, listed without its value, and deleted', async () => {
    const page = await site().open('/settings/secrets')

    await page.fill('#secret-name', 'model-key')
    await page.fill('#secret-value', 'sk-never-shown')
    await page.click('text=Store secret')
    await page.waitForSelector('[aria-label="Stored secrets"] >> text=model-key')

    expect(await page.inputValue('#secret-value')).toBe('')
    expect(await page.content()).not.toContain('sk-never-shown')
    expect(await site().deps.secrets.resolve('secret:model-key')).toBe('sk-never-shown')
    await expectAccessible(page)

    await page.click('[aria-label="Stored secrets"] >> text=Delete')
    await page.click('[aria-label="Stored secrets"] >> button[data-armed]')
    await page.waitForSelector('text=No secrets yet.')
    expect(await site().deps.secrets.list()).toEqual([])
  })
})

describe('agents', () => {
  test('an agent is added, its token shown once, and works until it is revoked', async () => {
    const page = await site().open('/settings/agents')

    await page.fill('#agent-name', 'Research bot')
    await page.click('text=Add agent')
    await page.click('.thing:has-text("Research bot") >> text=New token')
    await page.fill('.token-form input:not([type=checkbox])', 'Laptop')
    await page.click('text=Create token')
    const token = await page.inputValue('#new-token')
    const command = `claude mcp add --transport http void ${site().url}/mcp --header "Authorization: Bearer ${token}"`
    expect(await page.inputValue('#new-token-claude-code')).toBe(command)
    expect(JSON.parse(await page.inputValue('#new-token-cursor')).mcpServers.void.url).toBe(
      `${site().url}/mcp`,
    )
    const added = await page.getAttribute('a:has-text("Add to VS Code")', 'href')
    expect(JSON.parse(decodeURIComponent(added!.replace('vscode:mcp/install?', '')))).toMatchObject({
      name: 'void',
      url: `${site().url}/mcp`,
    })
    await expectAccessible(page)
    await page.waitForSelector('dialog >> text=Waiting for the first call')
    expect((await site().as(token).get('/api/spaces')).status).toBe(200)
    await page.waitForSelector('dialog >> text=It has connected')
    await page.click('button:text("Done")')
    await page.waitForSelector('.thing >> text=Laptop')

    expect((await site().as(token).get(`/api/pages/${world.lamp.id}`)).status).toBe(200)
    expect(await page.content()).not.toContain(token)

    await page.click('text=Revoke')
    await page.click('text=Revoke permanently')
    await page.waitForSelector('.thing >> text=revoked')
    expect((await site().as(token).get(`/api/pages/${world.lamp.id}`)).status).toBe(401)
  })
})

describe('the model', () => {
  test('the test of the connection says that it works, or exactly what is wrong', async () => {
    const page = await site().open('/settings/model')

    await page.click('#test-connection')
    await page.waitForSelector('.test-good >> text=Connected.')
    await page.click('#test-connection')

    await page.waitForSelector('.test-bad >> text=rejected the API key')
    expect(await page.locator('.test-bad').innerText()).toContain('Compare the API key')
  })
})

describe('import and export', () => {
  test('a chosen folder comes in with its progress told, and what stayed out is listed with the reason', async () => {
    const folder = join(await mkdtemp(join(tmpdir(), 'void-e2e-')), 'Boats')
    await mkdir(join(folder, 'Old'), { recursive: true })
    await writeFile(join(folder, 'Petrel.md'), 'The Petrel leaks. See [[Jonas]].')
    await writeFile(join(folder, 'Old', 'Jonas.md'), 'Jonas built her.')
    await writeFile(join(folder, 'Broken.md'), Buffer.from([0xff, 0xfe, 0x00]))
    const page = await site().open('/settings/import')

    await page.setInputFiles('#import-folder', folder)
    await page.waitForSelector('.import-job[data-phase=done]')

    expect(await page.locator('.import-job').innerText()).toContain('“Boats” into')
    const { body } = await site().owner.get('/api/search?q=Petrel')
    expect(JSON.stringify(body)).toContain('The Petrel leaks')
  })

  test('dropped files come in, and a lost server leaves what is in and goes on from there', async () => {
    const page = await site().open('/settings/import', { expectErrors: /ERR_FAILED/ })
    let broken = true
    await page.route('**/imports', (route) => (broken ? route.abort() : route.continue()))

    await page.evaluate(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['Dropped words.'], 'Dropped.md'))
      const target = document.querySelector('.settings-section')!
      target.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
    })
    await page.waitForSelector('.import-job[data-phase=failed] >> text=Could not reach the server')
    broken = false
    await page.click('text=Continue')

    await expect(page.locator('.import-job[data-phase=done] >> text=1 new')).toBeVisible()
  })

  test('an import is looked at first, brought in, and taken back', async () => {
    const page = await site().open('/settings/import')

    await page.check('#import-preview')
    await page.setInputFiles('#import-files', [
      { name: 'Ballast.md', mimeType: 'text/markdown', buffer: Buffer.from('Ten stones of ballast.') },
      { name: 'Rota.csv', mimeType: 'text/csv', buffer: Buffer.from('who,when\nAda,Monday\n') },
    ])
    await page.waitForSelector('.import-job[data-phase=previewed] >> text=2 new')
    const before = await site().owner.get('/api/search?q=ballast')
    await page.click('button:text("Import")')
    // The table's file stays beside its page.
    await page.waitForSelector('.import-job[data-phase=done] >> text=3 new')
    const during = await site().owner.get('/api/search?q=ballast')
    await page.click('text=Undo import')
    await page.waitForSelector('.import-job[data-phase=undone]')
    const after = await site().owner.get('/api/search?q=ballast')

    expect(JSON.stringify(before.body)).not.toContain('Ten stones')
    expect(JSON.stringify(during.body)).toContain('Ten stones')
    expect(JSON.stringify(after.body)).not.toContain('Ten stones')
  })

  test('an earlier import is listed with what became of its files, and taken back', async () => {
    const { owner } = site()
    const { body: space } = await owner.post('/api/spaces').send({ name: 'Quay' }).expect(201)
    const imports = `/api/spaces/${space.id}/imports`
    const { body: job } = await owner.post(imports).send({ source: 'Old disk', root: null }).expect(201)
    const names = Array.from({ length: 105 }, (_, n) => `Old ${n}.md`)
    const board = { path: 'Chart.html', base64: Buffer.from('<p></p>').toString('base64') }
    const files = names.map((path) => ({ path, base64: Buffer.from('Gantry.').toString('base64') }))
    await owner
      .post(`/api/imports/${job.id}/files`)
      .send({ files: [...files, board] })
      .expect(200)
    await owner.post(`/api/imports/${job.id}/start`).expect(202)
    await expect
      .poll(async () => (await owner.get(`/api/imports/${job.id}`)).body.state, { timeout: 20_000 })
      .toBe('done')
    const page = await site().open('/settings/import')

    await page.selectOption('#import-space', space.id)
    const row = page.locator('.past-import:has-text("Old disk")')
    await row.locator('text=106 new').waitFor()
    await row.locator('text=Files').click()
    await row.locator('.import-notes >> text=Chart.html').waitFor()
    expect(await row.locator('.import-notes li').count()).toBe(1)
    await row.locator('select').selectOption('created')
    await expect.poll(() => row.locator('.import-notes li').count()).toBe(100)
    await row.locator('text=Show more').click()
    await expect.poll(() => row.locator('.import-notes li').count()).toBe(106)
    await expectAccessible(page)
    await row.locator('text=Undo import').click()

    await page.waitForSelector('.past-import[data-state=undone] >> text=undone')
    expect((await owner.get(`/api/spaces/${space.id}/pages`)).body.items).toEqual([])
  })

  test('files that are dropped on any view come into the Space that is open, and the view stays', async () => {
    const page = await site().open('/s/skerry-light/tasks')

    await dropOnView(page, 'Anywhere.md', 'Anywhere at all.')
    await page.waitForSelector('.toast >> text=Importing “Anywhere.md” into Skerry Light')
    await page.waitForSelector('.toast >> text=Imported “Anywhere.md” into Skerry Light')
    // U is for the newest action alone.
    const keys = await page.locator('.toast kbd').count()
    const during = await site().owner.get('/api/search?q=Anywhere')
    await page.click('.toast >> text=Undo')
    await expect
      .poll(async () => JSON.stringify((await site().owner.get('/api/search?q=Anywhere')).body))
      .not.toContain('Anywhere at all')

    expect(keys).toBe(1)
    expect(JSON.stringify(during.body)).toContain('Anywhere at all')
    expect(new URL(page.url()).pathname).toBe('/s/skerry-light/tasks')
  })

  test('the message of a drop leads to the import', async () => {
    const page = await site().open('/s/skerry-light/tasks')

    await dropOnView(page, 'Led.md', 'Led there.')
    await page.click('.toast:has-text("Importing") >> text=Show')

    await page.waitForSelector('.import-job[data-phase=done] >> text=1 new')
    expect(await page.locator('.import-job').innerText()).toContain('into Skerry Light')
  })

  test('a Space is downloaded as one file', async () => {
    const page = await site().open('/settings/export')

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('[aria-label="Download Skerry Light as JSON Lines"]'),
    ])

    expect(download.suggestedFilename()).toMatch(/^skerry-light.*\.jsonl$/)
  })
})

async function dropOnView(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(
    ([name, text]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text], name))
      const event = new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true })
      document.querySelector('#view')!.dispatchEvent(event)
    },
    [name, text] as const,
  )
}

describe('everywhere', () => {
  test('the theme is chosen and stays', async () => {
    const page = await site().open('/settings/appearance', { colorScheme: 'light' })

    await page.check('#theme-dark')
    await page.reload()

    expect(await page.getAttribute('html', 'data-theme')).toBe('dark')
    expect(await page.isChecked('#theme-dark')).toBe(true)
  })

  test('axe finds nothing serious in any section', async () => {
    const page = await site().open('/settings')
    for (const section of ['agents', 'model', 'import', 'export', 'appearance', 'about']) {
      await page.goto(`/settings/${section}`)
      await page.waitForSelector('html[data-ready]', { state: 'attached' })
      await expectAccessible(page)
    }
  })
})

describe('usage', () => {
  test('shows what was used, and a budget that stops the next turn with a way to change it', async () => {
    const usage = { input_tokens: 1200, output_tokens: 39 }
    site().app.locals.callModel = scriptedModel([{ text: 'Forty litres.', usage }])
    await site().owner.patch('/api/usage/budget').send({ daily_tokens: null })
    const page = await site().open('/s/skerry-light?companion=1')
    await page.fill('.composer-field', 'How much oil is there?')
    await page.keyboard.press('Enter')
    await page.locator('.turn').last().locator('.said-companion >> text=Forty litres.').waitFor()
    const { body } = await site().owner.get('/api/usage')
    const used = body.budget.used_tokens.toLocaleString('en-US')

    await page.goto('/settings/usage')
    await page.waitForSelector('html[data-ready]', { state: 'attached' })
    await page.locator(`.usage-today >> text=${used}`).waitFor()
    await page.fill('#daily-tokens', '1000')
    await page.click('.usage-budget >> text=Save')
    await page.locator(`.usage-spent >> text=${used} of 1,000 tokens used today`).waitFor()
    await page.click('.usage-fold summary')
    await expectAccessible(page)

    await page.goto('/s/skerry-light?companion=1')
    await page.fill('.composer-field', 'And brass?')
    await page.keyboard.press('Enter')
    await page.locator('.ending >> text=Daily budget reached').waitFor()
    await page.click('.ending >> a:text("Settings")')
    await page.waitForURL('**/settings/usage')
    await page.click('.usage-budget >> text=Use server setting')
    await page.waitForFunction(() => !document.querySelector('.usage-used'))
  })
})

test('signing out everywhere ends this session and the others', async () => {
  const expectErrors = /status of 401/
  const page = await site().open('/settings/sessions', { expectErrors })
  const other = await site().open('/spaces', { expectErrors })
  await page.waitForSelector('.setting >> text=this browser')
  await expectAccessible(page)

  await page.click('text=Sign out everywhere')
  await page.waitForURL('**/sign-in')
  await other.goto('/spaces')

  expect(new URL(other.url()).pathname).toBe('/sign-in')
})

test('a sign-in link signs in by a press of its button', async () => {
  const { body } = await site().owner.post('/api/session/codes')
  const { pathname, search } = new URL(body.url)
  const page = await site().open(`${pathname}${search}&next=/spaces`, { signedIn: false })
  await expectAccessible(page)

  await page.click('button:text("Sign in")')

  await page.waitForURL('**/spaces')
})
