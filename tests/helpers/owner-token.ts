/** Of every app that tests build, and of servers that they sign in to. */
export const ownerToken = 'owner_test-token-of-the-tests'
