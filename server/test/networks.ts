let networks = 0;

/** The headers of a caller from a network that no other call of this test file uses; needs TRUSTED_PROXIES=loopback. */
export function newNetwork(): Record<string, string> {
  networks += 1;
  return { 'x-forwarded-for': `10.${Math.floor(networks / 250)}.${networks % 250}.7` };
}
