/** The library, loaded with the first passkey that is made or asked for: it takes a quarter of a second and 26 MB. */
export const loadWebAuthn = () => import('@simplewebauthn/server')

/** EdDSA, ES256, RS256 (COSE): a signature of ML-DSA has more bytes than the body of somebody unknown may. */
export const algorithms = [-8, -7, -257]

export const loadWebAuthnHelpers = () => import('@simplewebauthn/server/helpers')
