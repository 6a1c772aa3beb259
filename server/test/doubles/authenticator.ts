import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { Assertion, Attestation, CreationOptions, RequestOptions } from '#contract/auth/webauthn.ts';

/** The origin that a browser reports and how its authenticator behaves; everything else is valid. */
export interface Scene {
  origin?: string;
  rpId?: string;
  /** Replaces the requested challenge. */
  challenge?: string;
  /** If false, the owner touched it but was not verified. */
  verified?: boolean;
  /** Replaces the next counter value. */
  counter?: number;
  /** Signs with another key. */
  forged?: boolean;
  crossOrigin?: boolean;
  /** Stored for another account. */
  userHandle?: string;
  type?: string;
}

const home = 'http://localhost:3000';
const base64url = (bytes: Buffer) => bytes.toString('base64url');
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();

const flag = { present: 0x01, verified: 0x04, mayBeSynced: 0x08, synced: 0x10, hasKey: 0x40 };

/** Encodes the part of CBOR that authenticators use. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  const entries = [...value].flatMap((entry) => entry.map((part) => cbor(part as Parameters<typeof cbor>[0])));
  return Buffer.concat([head(5, value.size), ...entries]);
}

function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count]);
  if (count < 256) return Buffer.from([(major << 5) | 24, count]);
  return Buffer.from([(major << 5) | 25, count >> 8, count & 0xff]);
}

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const parts: [number, number | Buffer][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ];
  return cbor(new Map(parts));
}

/** A software authenticator with one passkey (ES256), like a phone or a security key. */
export class Authenticator {
  readonly id = randomBytes(24);
  #key = newKey();
  #userHandle = '';
  /** The signature counter; it stays at 0 for authenticators without one. */
  counter = 0;
  #counts: boolean;

  constructor({ counts = true } = {}) {
    this.#counts = counts;
  }

  /** The public key as registered, for tests that store it directly. */
  keepFor(userHandle: string): Buffer {
    this.#userHandle = userHandle;
    return coseKey(this.#key.publicKey);
  }

  #clientData(type: string, challenge: string, scene: Scene): Buffer {
    const { origin = home, crossOrigin = false } = scene;
    return Buffer.from(JSON.stringify({ type: scene.type ?? type, challenge, origin, crossOrigin }));
  }

  #data(rpId: string, scene: Scene, key?: Buffer): Buffer {
    if (this.#counts) this.counter += 1;
    const flags = flag.present | (scene.verified === false ? 0 : flag.verified) | (key === undefined ? 0 : flag.hasKey);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(scene.counter ?? this.counter);
    const bytes: Buffer[] = [sha256(scene.rpId ?? rpId), Buffer.from([flags]), counter];
    if (key !== undefined) bytes.push(Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, key);
    return Buffer.concat(bytes);
  }

  /** Creates the passkey that a page requests. */
  make(options: CreationOptions, scene: Scene = {}, statement: Map<string, unknown> = new Map()): Attestation {
    this.#userHandle = options.user.id;
    const authData = this.#data(options.rp.id, scene, coseKey(this.#key.publicKey));
    const object = new Map<string, unknown>([
      ['fmt', statement.size === 0 ? 'none' : 'packed'],
      ['attStmt', statement],
      ['authData', authData],
    ]);
    const clientData = this.#clientData('webauthn.create', scene.challenge ?? options.challenge, scene);
    const id = base64url(this.id);
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: { clientDataJSON: base64url(clientData), attestationObject: base64url(cbor(object)) },
    };
  }

  /** Signs in with the passkey. */
  sign(options: RequestOptions, scene: Scene = {}): Assertion {
    const authenticatorData = this.#data(options.rpId, scene);
    const clientData = this.#clientData('webauthn.get', scene.challenge ?? options.challenge, scene);
    const { privateKey } = scene.forged === true ? newKey() : this.#key;
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), privateKey);
    const id = base64url(this.id);
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
        userHandle: scene.userHandle ?? this.#userHandle,
      },
    };
  }
}
