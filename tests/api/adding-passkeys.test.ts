// Which passkeys are added, and where they work.

import request from 'supertest'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildApp, ownerToken } from '../helpers/build-app.ts'
import { addPasskey, origin, passkeyBrowser } from '../helpers/passkey-browser.ts'
import { makeSoftwareKey } from '../helpers/software-key.ts'

const { app, owner } = await buildApp()
const signedIn = async () => {
  const browser = passkeyBrowser(app)
  await browser.signIn()
  return browser
}

beforeEach(async () => {
  await owner.delete('/api/passkeys')
})

describe('where the passkeys do not work', () => {
  test('nobody signs in, and a code is not used up', async () => {
    const { key } = await addPasskey(await signedIn())
    const { code } = (await owner.post('/api/session/codes')).body
    const elsewhere = await request(app).post('/sign-in').type('form').send({ code })
    const browser = passkeyBrowser(app)

    expect([elsewhere.status, elsewhere.headers['set-cookie']]).toEqual([409, undefined])
    expect(elsewhere.text).toContain('Your passkeys work at localhost.')
    expect(elsewhere.text).toContain(`name="code" value="${code}"`)
    expect((await browser.finish(key.answer(await browser.pending(code)))).status).toBe(204)
  })

  test('PUBLIC_URL is what counts, not the address of a request', async () => {
    const publicUrl = 'https://void.example'
    const named = await buildApp({ publicUrl })
    const browser = passkeyBrowser(named.app)
    await browser.signIn()
    const offer = await browser.offer()
    const wrong = await browser.add(makeSoftwareKey({ origin }).create(offer))
    const right = await addPasskey(browser, 'Phone', makeSoftwareKey({ origin: publicUrl }))
    const pending = await passkeyBrowser(named.app).pending()

    expect(offer.rp.id).toBe('void.example')
    expect(wrong.body.error.code).toBe('wrong_origin')
    expect(pending).toMatchObject({ rpId: 'void.example', allowCredentials: [{ id: right.key.id }] })
  })

  test('an IP address is refused in plain words', async () => {
    const signIn = await request(app).post('/api/session').send({ token: ownerToken })
    const cookie = String(signIn.headers['set-cookie']).split(';')[0]!

    const { status, body } = await request(app)
      .post('/api/passkeys/options')
      .set({ Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' })

    expect([status, body.error.code]).toEqual([409, 'passkey_unavailable'])
    expect(body.error.message).toContain('not an IP address')
  })
})

describe('adding a passkey', () => {
  test('is for a browser that is signed in, not for a bearer token', async () => {
    expect((await owner.post('/api/passkeys/options')).status).toBe(403)
    expect((await passkeyBrowser(app).send('post', '/api/passkeys/options')).status).toBe(401)
  })

  test('takes an answer to an offer to the same session, once', async () => {
    const [browser, other] = [await signedIn(), await signedIn()]
    const credential = makeSoftwareKey({ origin }).create(await browser.offer())

    const stolen = await other.add(credential)
    const repeated = [await browser.add(credential), await browser.add(credential)]

    expect(stolen.body.error.code).toBe('challenge_expired')
    expect(repeated.map(({ status }) => status)).toEqual([201, 401])
  })

  test('takes no challenge that was made to confirm', async () => {
    const { key } = await addPasskey(await signedIn())
    const browser = passkeyBrowser(app)
    await browser.finish(key.answer(await browser.pending()))
    const { challenge } = await browser.challenge()

    const { body } = await browser.add(
      makeSoftwareKey({ origin }).create({ challenge, rp: { id: 'localhost' } }),
    )

    expect(body.error.code).toBe('challenge_expired')
  })

  test('takes no key made at another address or for another host name', async () => {
    const browser = await signedIn()
    const elsewhere = makeSoftwareKey({ origin: 'https://void.example' }).create(await browser.offer())
    const other = makeSoftwareKey({ origin }).create({
      ...(await browser.offer()),
      rp: { id: 'void.example' },
    })

    expect((await browser.add(elsewhere)).body.error.code).toBe('wrong_origin')
    expect((await browser.add(other)).body.error.code).toBe('passkey_rejected')
  })

  test('takes no unsupported vendor attestation, which nobody asked for', async () => {
    const browser = await signedIn()
    const { attestation, ...credential } = makeSoftwareKey({ origin }).create(await browser.offer())
    const vendor = Buffer.from(attestation, 'base64url').toString('latin1').replace('dnone', 'etpm12')

    const { body } = await browser.add({
      ...credential,
      attestation: Buffer.from(vendor, 'latin1').toString('base64url'),
    })

    expect(body.error.code).toBe('passkey_rejected')
  })

  test('names what is there already, takes it once, and ends at ten', async () => {
    const browser = await signedIn()
    const { key } = await addPasskey(browser)
    const offer = await browser.offer()
    const twice = await browser.add(key.create(offer))
    for (let n = 2; n <= 10; n += 1) await addPasskey(browser, `Key ${n}`)

    const eleventh = await browser.send('post', '/api/passkeys/options')

    expect(offer.excludeCredentials).toMatchObject([{ id: key.id }])
    expect([twice.status, twice.body.error.code]).toEqual([409, 'passkey_exists'])
    expect([eleventh.status, eleventh.body.error.code]).toEqual([409, 'too_many_passkeys'])
  })
})
