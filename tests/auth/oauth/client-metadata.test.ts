import { describe, expect, test } from 'vitest'
import { readClientMetadata } from '../../../lib/auth/oauth/client-metadata.ts'

const redirect_uris = ['http://127.0.0.1:8765/callback']

describe('what a program says of itself', () => {
  test('is taken over as a public client’s, and nothing else of it', () => {
    const stated = {
      client_name: '  Lamp\n reader ',
      redirect_uris,
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      token_endpoint_auth_method: 'client_secret_basic',
      client_secret: 'mine',
      jwks_uri: 'https://attacker.example/keys',
      logo_uri: 'https://attacker.example/logo.png',
      request_uris: ['https://attacker.example/request'],
      sector_identifier_uri: 'http://169.254.169.254/',
    }

    expect(readClientMetadata(stated)).toEqual({
      client_name: 'Lamp reader',
      redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      response_modes: ['query'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    })
  })

  test('may be that its codes go to an app which is known', () => {
    const cursor = 'cursor://anysphere.cursor-mcp/oauth/callback'

    expect(readClientMetadata({ redirect_uris: ['https://www.cursor.com/cb', cursor] })).toMatchObject({
      redirect_uris: ['https://www.cursor.com/cb', cursor],
      application_type: 'native',
    })
  })

  test.each([
    'com.example.app:/oauth/callback',
    'com.example.app://oauth/callback',
    'dev.zed.editor:/cb',
    'vscode://publisher.extension/auth',
    'vscode-insiders://publisher.extension/auth',
    'claude://oauth/callback',
  ])('may be that its codes go to %s, an app of the system', (uri) => {
    expect(readClientMetadata({ redirect_uris: [uri] })).toMatchObject({
      redirect_uris: [uri],
      application_type: 'native',
    })
  })

  test('is bounded: a long name is cut, one that is none is left out', () => {
    expect(readClientMetadata({ redirect_uris, client_name: 'é'.repeat(5000) }).client_name).toHaveLength(80)
    expect(readClientMetadata({ redirect_uris, client_name: { toString: 1 } }).client_name).toBeUndefined()
    expect(readClientMetadata({ redirect_uris: ['https://app.example/cb'] }).application_type).toBe('web')
  })

  test.each([
    [['http://app.example/cb']],
    [['https://localhost/cb']],
    [['http://127.0.0.1.evil.example/cb']],
    [['http://10.0.0.1/cb']],
    [['cursor://anysphere.cursor/cb']],
    [['cursor://anysphere.cursor-mcp/oauth/callback/more']],
    [['cursor://anysphere.cursor-mcp/oauth/callback?x=1']],
    [['CURSOR://anysphere.cursor-mcp/oauth/callback']],
    [['cursor://anysphere.cursor-mcp/oauth/callback', 'evil://app/cb']],
    [['javascript:alert(1)']],
    [['javascript://a.example/%0aalert(1)']],
    [['javascript.x:alert(1)']],
    [['vbscript:/a']],
    [['blob:https://app.example/1']],
    [['about:blank']],
    [['intent://app.example/cb']],
    [['ms-msdt:/id']],
    [['mailto:a@app.example']],
    [['urn:ietf:wg:oauth:2.0:oob']],
    [['com.example.app:callback']],
    [['com.example.app:/cb?x=1']],
    [['com.example.app:/cb#x']],
    [['com.example.app:/<script>']],
    [['com.example.app://user@host/cb']],
    [['COM.example.app:/cb']],
    [['com..app:/cb']],
    [['.com.app:/cb']],
    [['VSCODE://publisher.extension/auth']],
    [['vscode:publisher']],
    [['http.example:alert(1)']],
    [['data:text/html,x']],
    [['file:///etc/passwd']],
    [['https://app.example/cb#token']],
    [['https://app.example/cb#']],
    [['https://user:pass@app.example/cb']],
    [['/cb']],
    [[`https://app.example/${'a'.repeat(500)}`]],
    [[]],
    [Array.from({ length: 11 }, (_, n) => `https://app.example/${n}`)],
    ['https://app.example/cb'],
    [undefined],
    [[null]],
  ])('with the redirect URIs %j is refused', (uris) => {
    expect(() => readClientMetadata({ redirect_uris: uris })).toThrow(
      expect.objectContaining({ code: 'invalid_redirect_uri' }),
    )
  })

  test.each([
    [{ redirect_uris, grant_types: ['client_credentials'] }],
    [{ redirect_uris, response_types: ['token'] }],
    [{ redirect_uris, grant_types: 'authorization_code' }],
    [null],
    [[]],
    ['text'],
  ])('as %j is refused', (stated) => {
    expect(() => readClientMetadata(stated)).toThrow()
  })
})
