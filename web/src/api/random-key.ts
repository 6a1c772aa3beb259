/** 128 random bits as text. `crypto.randomUUID` exists on secure origins only; plain http in a local network is not one. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
