import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resolveSecret } from '../../lib/ai/secret.ts'

const noFile = () => {
  throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
}

describe('a secret', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'void-secret-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is itself when nothing else is named', () => {
    expect(resolveSecret('sk-raw-key')).toBe('sk-raw-key')
  })

  it('comes from the environment', () => {
    expect(resolveSecret('env:TEA_KEY', { env: { TEA_KEY: 'sk-env\n' }, readFile: noFile })).toBe('sk-env')
  })

  it('comes from the environment of the process by default', () => {
    expect(resolveSecret('env:PATH')).toBe(process.env.PATH)
  })

  it('comes from a file, without the line end', () => {
    writeFileSync(join(folder, 'key'), 'sk-file\r\n')

    expect(resolveSecret(`file:${join(folder, 'key')}`)).toBe('sk-file')
  })

  it('comes from those that the owner stored, and from a password manager', () => {
    const deps = {
      env: {},
      readFile: noFile,
      stored: (name: string) => `stored ${name}`,
      vault: () => 'sk-vault\n',
    }

    expect(resolveSecret('secret:model', deps)).toBe('stored model')
    expect(resolveSecret('bw:Model/key', deps)).toBe('sk-vault')
  })

  it.each([
    ['a stored one where there are none', 'secret:model'],
    ['a password manager where there is none', 'bw:Model/key'],
    ['an empty spec', ''],
    ['no spec', null],
    ['an undefined spec', undefined],
    ['an unset variable', 'env:NOT_SET_ANYWHERE'],
    ['an empty variable', 'env:EMPTY'],
    ['no variable name', 'env:'],
    ['an absent file', 'file:/nowhere/key'],
    ['no file name', 'file:'],
    ['nothing but blanks', ' \n'],
  ])('is null for %s', (_, spec) => {
    expect(resolveSecret(spec, { env: { EMPTY: '\n' }, readFile: noFile })).toBeNull()
  })

  it('is null for an empty file', () => {
    writeFileSync(join(folder, 'key'), '\n')

    expect(resolveSecret(`file:${join(folder, 'key')}`)).toBeNull()
  })

  it('is an error that names the file when it is there and cannot be read', () => {
    expect(() => resolveSecret(`file:${folder}`)).toThrow(`The secret file ${folder} cannot be read`)
  })
})
