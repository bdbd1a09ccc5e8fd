// Tokens of a source: stored as secrets, shown hidden, and in nothing that it says.

import { Writable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { createLogger } from '../../../lib/core/logger.ts'
import {
  findWhole,
  hideTokens,
  restoreTokens,
  showTokens,
} from '../../../lib/outside/sources/tokens-in-settings.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { makeWorld } from '../../helpers/world.ts'
import { fakeSource } from './source-helpers.ts'

const token = 'kR7-pQ2x/Zz91+Lm44'
const random = 'c2VjcmV0VG9rZW4xMjM0NTY3ODkw'
const known = 'ghp_abcdefghijklmnop1234'

describe('tokens in settings', () => {
  test.each([
    [`https://a.example/mcp?api_key=${token}`, 'https://a.example/mcp?api_key=(hidden)'],
    [
      `https://a.example/mcp?x=1&token=${token}#key=${token}`,
      'https://a.example/mcp?x=1&token=(hidden)#key=(hidden)',
    ],
    [`https://anna:${encodeURIComponent(token)}@a.example/mcp`, 'https://anna:(hidden)@a.example/mcp'],
    [`https://${known}@a.example/mcp`, 'https://(hidden)@a.example/mcp'],
    [`https://a.example/s/${random}/mcp`, 'https://a.example/s/(hidden)/mcp'],
    [`https://a.example/mcp?profile=${random}`, 'https://a.example/mcp?profile=(hidden)'],
    ['https://a.example/mcp?page=2&author=anna', 'https://a.example/mcp?page=2&author=anna'],
    [
      'https://anna@a.example/documentation/getting-started-guide',
      'https://anna@a.example/documentation/getting-started-guide',
    ],
  ])('the address %s is shown as %s', (url, shown) => {
    const { tokens, ...places } = hideTokens({ url, args: [] })

    expect(places).toEqual({ url: shown, args: [] })
    expect(showTokens(places, tokens)).toEqual({ url, args: [] })
    expect(hideTokens(places)).toEqual({ ...places, tokens: [] })
  })

  test.each([
    [[`--token=${token}`], ['--token=(hidden)']],
    [
      ['--api-key', token, 'x'],
      ['--api-key', '(hidden)', 'x'],
    ],
    [[`API_KEY=${token}`], ['API_KEY=(hidden)']],
    [
      ['--header', `Authorization: Bearer ${token}`],
      ['--header', 'Authorization: Bearer (hidden)'],
    ],
    [[`X-Api-Key: ${token}`], ['X-Api-Key: (hidden)']],
    [[known], ['(hidden)']],
    [[`postgres://anna:${encodeURIComponent(token)}@db/x`], ['postgres://anna:(hidden)@db/x']],
    [[`--url=https://a.example/?key=${token}`], ['--url=https://a.example/?key=(hidden)']],
    [
      ['--password=hunter2', '--pass', 'hunter2', 'GITHUB_PAT=abc'],
      ['--password=(hidden)', '--pass', '(hidden)', 'GITHUB_PAT=(hidden)'],
    ],
    [
      ['--config', '{"apiKey": "a\\"b", "url": "https://a.example/?key=c", "on": true}'],
      ['--config', '{"apiKey": "(hidden)", "url": "https://a.example/?key=(hidden)", "on": true}'],
    ],
    [['--headers={"Authorization":"Bearer abc"}'], ['--headers={"Authorization":"Bearer (hidden)"}']],
    [
      ['--token', '--verbose'],
      ['--token', '--verbose'],
    ],
    [['--token=secret:mine'], ['--token=secret:mine']],
    [['-y', '@modelcontextprotocol/server-filesystem', '/home/me/papers', '--author=anna'], null],
  ])('the arguments %j are shown as %j', (args, shown) => {
    const { tokens, ...places } = hideTokens({ url: null, args })

    expect(places.args).toEqual(shown ?? args)
    expect(showTokens(places, tokens)?.args).toEqual(args)
    expect(restoreTokens(places, { url: null, args })).toEqual({ url: null, args })
  })

  test('what is sent back hidden is what it was, also in another order', () => {
    const stored = { url: null, args: [`--token=${token}`, '--key', known, 'x'] }

    const { args } = restoreTokens(
      { url: null, args: ['y', '--key', '(hidden)', '--token=(hidden)'] },
      stored,
    )

    expect(args).toEqual(['y', '--key', known, `--token=${token}`])
    expect(() => restoreTokens({ url: null, args: ['--other=(hidden)'] }, stored)).toThrow('no stored value')
    expect(() => restoreTokens({ url: 'https://b.example/?key=(hidden)', args: [] }, stored)).toThrow(
      'no stored value',
    )
  })

  test('places without their tokens are none', () => {
    expect(showTokens({ url: null, args: ['--token=(hidden)'] }, [])).toBeNull()
  })
})

describe('a source with tokens', async () => {
  const log: string[] = []
  const write = (chunk: unknown, _: string, done: () => void) => {
    log.push(String(chunk))
    done()
  }
  const app = await buildApp({ logger: createLogger('trace', new Writable({ write })) })
  const { space } = await makeWorld(app)
  const at = `/api/spaces/${space.id}/sources`
  const { args: script, ...program } = fakeSource('')
  afterAll(() => app.deps.connections.close())

  const stored = async (id: string) => {
    const { rows } = await app.deps.database.query('select * from sources where id = $1', [id])
    return JSON.stringify(rows)
  }

  test('has them in no row and no answer, and is started with them', async () => {
    const code = `if (process.argv[1] !== '--token=${'kR7'}' + '-pQ2x/Zz91+Lm44') process.exit(9); import('${script[0]}')`
    const added = await app.owner.post(at).send({ ...program, args: ['-e', code, '--', `--token=${token}`] })
    const { id } = added.body

    const tested = await app.owner.post(`/api/sources/${id}/test`)
    const listed = await app.owner.get(at)
    const secrets = await app.owner.get('/api/secrets')
    const row = await stored(id)

    expect(added.status).toBe(201)
    expect(tested.body).toMatchObject({ ok: true, error: null })
    for (const text of [added.text, listed.text, secrets.text, row]) expect(text).not.toContain(token)
    expect(added.body.args.at(-1)).toBe('--token=(hidden)')
  })

  test('hides a value of env by what it is, whatever its name', async () => {
    const env = { HEADERS: `{"Authorization": "Bearer ${known}"}`, USED: known, PLACE: 'tern' }
    const { body } = await app.owner
      .post(at)
      .send({ ...program, name: 'Env', env })
      .expect(201)

    expect(body.env).toEqual({ HEADERS: '(hidden)', USED: '(hidden)', PLACE: 'tern' })
  })

  test('keeps its own when a change is refused', async () => {
    const http = { transport: 'http', url: `http://127.0.0.1:9/mcp?key=${token}` }
    const { body } = await app.owner
      .post(at)
      .send({ ...http, name: 'Kept' })
      .expect(201)
    await app.owner
      .post(at)
      .send({ ...http, name: 'Taken' })
      .expect(201)
    const change = { name: 'Taken', url: 'http://127.0.0.1:9/mcp?key=another-one' }

    await app.owner.patch(`/api/sources/${body.id}`).send(change).expect(409)

    const stored = await app.deps.secrets.ofSources.read(body.id, 'settings')
    expect(JSON.parse(stored!).tokens).toEqual([token])
  })

  test('gives a token to no other address than the one it was stored with', async () => {
    const url = (host: string) => `http://${host}.example/mcp?key=`
    const { body } = await app.owner
      .post(at)
      .send({ name: 'Moved', transport: 'http', url: `${url('a')}${token}` })
      .expect(201)
    const before = { id: body.id, url: `${url('b')}(hidden)`, args: [] }

    expect(await findWhole(app.deps.secrets.ofSources, before)).toBeNull()
  })

  test('keeps one that is sent back hidden, and takes another', async () => {
    const { body } = await app.owner.post(at).send({
      ...{ name: 'Address', transport: 'http', url: `http://127.0.0.1:9/mcp?key=${token}` },
    })
    const kept = await app.owner
      .patch(`/api/sources/${body.id}`)
      .send({ name: 'Renamed', url: 'http://127.0.0.1:9/mcp?key=(hidden)' })
    const before = await app.deps.secrets.ofSources.read(body.id, 'settings')
    await app.owner.patch(`/api/sources/${body.id}`).send({ url: 'http://127.0.0.1:9/mcp?key=another-one' })
    const after = await app.deps.secrets.ofSources.read(body.id, 'settings')
    const invented = await app.owner
      .patch(`/api/sources/${body.id}`)
      .send({ url: 'http://b.example/?key=(hidden)' })

    expect(kept.body.url).toBe('http://127.0.0.1:9/mcp?key=(hidden)')
    expect([before, after].map((text) => JSON.parse(text!).tokens)).toEqual([[token], ['another-one']])
    expect(invented.status).toBe(400)
    expect(await stored(body.id)).not.toContain('another-one')
  })

  test('is in no error, log or row with any secret in use, however it writes it', async () => {
    await app.owner.put('/api/secrets/mine').send({ value: token }).expect(204)
    const encodings = [
      'token',
      "Buffer.from('x:' + token).toString('base64')",
      "Buffer.from(token).toString('base64url')",
      "Buffer.from(token).toString('hex')",
      'encodeURIComponent(token)',
      "token.split('').reverse().join('')",
      'JSON.stringify(JSON.stringify(token))',
    ]
    const code = `const token = process.env.TOKEN; console.error([${encodings}].join(' ')); process.exit(3)`
    const source = { ...program, name: 'Teller', args: ['-e', code], env: { TOKEN: 'secret:mine' } }
    const { body } = await app.owner.post(at).send(source).expect(201)

    const tested = await app.owner.post(`/api/sources/${body.id}/test`).expect(200)

    const everything = [tested.text, await stored(body.id), log.join('')].join('\n')
    expect(tested.body.error.split(' ').length).toBe(encodings.length)
    for (const form of [
      token,
      Buffer.from(token).toString('base64').slice(0, 20),
      Buffer.from(`x:${token}`).toString('base64').slice(4, 24),
      Buffer.from(token).toString('hex'),
      encodeURIComponent(token),
      token.split('').reverse().join(''),
    ])
      expect(everything).not.toContain(form)
  })
})
