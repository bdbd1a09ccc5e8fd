// A code goes to an address of its client, and nowhere else.

import { type OAuthWorld, own, row } from './oauth-world.ts'

const redirects = [
  ...[
    '/',
    '/more',
    '?x=1',
    '#x',
    '%2f',
    '%00',
    ';x',
    '.',
    '%20',
    '\\',
    '/..',
    '/%2e%2e',
    '@attacker.example',
  ].map((end) => own + end),
  ...[
    'attacker.example',
    '127.0.0.1.attacker.example',
    '127.0.0.1@attacker.example',
    'attacker.example\\@127.0.0.1',
    'attacker.example%2f@127.0.0.1',
    'user@127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '[::ffff:127.0.0.1]',
    '127.0.0.2',
    'localhost',
    'LOCALHOST',
    '127.0.0.1.',
    '127。0。0。1',
    '１２７.0.0.1',
  ].flatMap((host) => ['http', 'https'].map((scheme) => `${scheme}://${host}:8765/callback`)),
  'javascript:alert(1)//127.0.0.1:8765/callback',
  'data:text/html,http://127.0.0.1:8765/callback',
  '//127.0.0.1:8765/callback',
  'HTTP://127.0.0.1:8765/CALLBACK',
  'http:/127.0.0.1:8765/callback',
  'http:127.0.0.1:8765/callback',
  ' http://127.0.0.1:8765/callback',
  'http://127.0.0.1:8765/callback ',
  'http://127.0.0.1:8765/callback\t',
  'http://127.0.0.1:8765/call\nback',
  'http://127.0.0.1:8765//callback',
  'http://127.0.0.1:8765/./callback',
  'http://127.0.0.1:8765/%63allback',
  'file:///callback',
  'void://callback',
  '',
]

export async function tryRedirects({ browser, client, id, tried, fell }: OAuthWorld): Promise<void> {
  const isOwn = (location: string) =>
    location === '' || location.startsWith('/connect/') || isOfClient(location)
  for (const redirect_uri of redirects)
    for (const changed of [
      { redirect_uri },
      { redirect_uri, response_type: 'token' },
      { redirect_uri, scope: 'x' },
    ]) {
      const answer = await browser.request(client.address(id, changed))
      tried()
      const location = answer.headers.get('location') ?? ''
      // Another port of this machine is the same program (RFC 8252, 7.3).
      const isSame = URL.canParse(redirect_uri) && isOfClient(redirect_uri)
      if (!isOwn(location) || (location.startsWith('/connect/') && !isSame) || answer.status >= 500)
        fell(`${JSON.stringify(changed)}: ${answer.status} ${location}`)
    }
  for (const [first, second] of [
    [own, 'https://attacker.example/'],
    ['https://attacker.example/', own],
  ] as const) {
    const address = client.address(id, { redirect_uri: first })
    address.searchParams.append('redirect_uri', second)
    const answer = await browser.request(address)
    tried()
    const location = answer.headers.get('location') ?? ''
    if (location !== '' && !isOfClient(location)) fell(`two redirect_uris: ${answer.status} ${location}`)
  }
}

function isOfClient(location: string): boolean {
  if (!URL.canParse(location)) return false
  const { protocol, hostname, pathname, username } = new URL(location)
  return protocol === 'http:' && hostname === '127.0.0.1' && pathname === '/callback' && username === ''
}

export async function tryRegistrations({ client, tried, fell }: OAuthWorld): Promise<void> {
  const refused = [
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'blob:https://a.example/x',
      'file:///etc/passwd',
      'http://attacker.example/',
      'http://192.168.0.1/',
      'http://[::2]/',
      'https://127.0.0.1/x',
      'https://localhost/x',
      'https://[::1]/',
      'https://user@a.example/',
      'https://user:x@a.example/',
      'https://a.example/#x',
      'https://a.example/#',
      'ftp://a.example/',
      'about:blank',
      'intent://x',
      'view-source:https://a.example',
      'ms-word:ofe|u|https://a.example',
      'com.example.app:?x',
      'com.example.app:/x?y=z',
      'com.example.app:/x#y',
      'vscode:x y',
      'search-ms:x',
      '',
      ' ',
      '\0',
      'https://',
      'http://localhost@attacker.example/',
      'http://localhost.attacker.example/',
      'https://a.example/'.padEnd(600, 'x'),
    ].map((uri) => ({ redirect_uris: [uri] })),
    { redirect_uris: [] },
    { redirect_uris: Array.from({ length: 11 }, (_, n) => `${own}${n}`) },
    { redirect_uris: own },
    { redirect_uris: [own, 'javascript:1'] },
    { redirect_uris: [own], grant_types: ['client_credentials'] },
    { redirect_uris: [own], grant_types: ['implicit'], response_types: ['token'] },
    { redirect_uris: [own], response_types: ['id_token'] },
    { redirect_uris: { length: 1, 0: own } },
    { redirect_uris: [own], grant_types: Array.from({ length: 200 }, () => 'authorization_code') },
  ]
  for (const metadata of refused) {
    const answer = await client.register(metadata)
    tried()
    if (answer.status < 400 || answer.status >= 500)
      fell(`registered ${JSON.stringify(metadata).slice(0, 100)}: ${answer.status}`)
    await answer.body?.cancel()
  }
  const claims = { client_secret: 'x', client_id: 'mine', token_endpoint_auth_method: 'client_secret_basic' }
  const answer = await client.register({ redirect_uris: [own], ...claims, jwks_uri: 'https://a.example/' })
  tried()
  const { client_id, ...others } = row(await answer.json())
  if (client_id === 'mine' || 'client_secret' in others || 'jwks_uri' in others)
    fell('a client chose what it is')
}
