import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { open, seal } from '../../../lib/auth/secrets/envelope.ts'
import { createTemporaryKeyring, loadKeyring } from '../../../lib/auth/secrets/master-key.ts'

const unset = { secretsKey: null, secretsKeyFile: null, secretsKeyPrevious: null }
const keyA = Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString('base64')
const keyB = Buffer.from(Array.from({ length: 32 }, (_, n) => 255 - n)).toString('base64')

describe('a sealed secret', () => {
  const master = createTemporaryKeyring().current()

  it('opens with its key and its name, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (value) => {
        expect(open(master, 'tea', seal(master, 'tea', value))).toBe(value)
      }),
      { numRuns: 50 },
    )
  })

  it('is another one each time, with another key', () => {
    const [a, b] = [seal(master, 'tea', 'x'), seal(master, 'tea', 'x')]

    expect(a.sealed.equals(b.sealed)).toBe(false)
    expect(a.wrapped_key.equals(b.wrapped_key)).toBe(false)
  })

  it('does not open under another name, with another master key, or with any byte changed', () => {
    const row = seal(master, 'tea', 'lapsang')
    const other = createTemporaryKeyring().current()

    expect(() => open(master, 'coffee', row)).toThrow()
    expect(() => open(other, 'tea', row)).toThrow()
    for (const part of ['sealed', 'wrapped_key'] as const) {
      for (let at = 0; at < row[part].length; at += 1) {
        const bytes = Buffer.from(row[part])
        bytes[at]! ^= 1
        expect(() => open(master, 'tea', { ...row, [part]: bytes })).toThrow()
      }
    }
  })
})

describe('the master key', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'void-key-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is made once, in a file that only its owner may read', () => {
    const first = loadKeyring(unset, folder).current()
    const second = loadKeyring(unset, folder).current()

    expect(second).toEqual(first)
    expect(statSync(join(folder, 'secrets-key')).mode & 0o777).toBe(0o600)
  })

  it('comes from the settings or a file, before the one of the data folder', () => {
    writeFileSync(join(folder, 'key'), `${keyB}\n`)
    const own = loadKeyring({ ...unset, secretsKey: keyA }, folder).current()
    const fromFile = loadKeyring({ ...unset, secretsKeyFile: join(folder, 'key') }, folder).current()

    expect(own.key.toString('base64')).toBe(keyA)
    expect(fromFile.key.toString('base64')).toBe(keyB)
    expect(() => statSync(join(folder, 'secrets-key'))).toThrow()
  })

  it.each([['short'], [Buffer.alloc(32).toString('base64')], [`${keyA}AAAA`], ['']])(
    'is refused when it is none: %s',
    (key) => {
      writeFileSync(join(folder, 'key'), key)

      expect(() => loadKeyring({ ...unset, secretsKeyFile: join(folder, 'key') }, folder)).toThrow(
        'is not a key',
      )
    },
  )

  it('opens with the key before, and with the next one of a rotation that was broken off', () => {
    const before = loadKeyring({ ...unset, secretsKey: keyA }, folder).current()
    const ring = loadKeyring({ ...unset, secretsKey: keyB, secretsKeyPrevious: keyA }, folder)
    const first = loadKeyring(unset, folder)
    const next = first.prepareNext()

    const afterCrash = loadKeyring(unset, folder)

    expect(ring.find(before.id)?.key).toEqual(before.key)
    expect(afterCrash.current()).toEqual(first.current())
    expect(afterCrash.find(next.id)).toEqual(next)
    expect(afterCrash.prepareNext()).toEqual(next)
    afterCrash.adoptNext()
    expect(loadKeyring(unset, folder).current()).toEqual(next)
    expect(readFileSync(join(folder, 'secrets-key'), 'utf8').trim()).toBe(next.key.toString('base64'))
  })
})
