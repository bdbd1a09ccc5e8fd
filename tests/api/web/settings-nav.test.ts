import { expect, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'

const { owner } = await buildApp()

test('each section of the settings has an icon of its own', async () => {
  const { text } = await owner.get('/settings/about').set('accept', 'text/html').expect(200)

  const links = [...text.matchAll(/class="settings-link"[^>]*>.*?<path d="([^"]+)"/g)].map(([, path]) => path)

  expect(links.length).toBeGreaterThan(10)
  expect(new Set(links).size).toBe(links.length)
})
