import { vi } from 'vitest';

/** What a browser knows of the words it is sent; a test may change it as it goes on. */
interface KnownPush {
  permission: NotificationPermission;
  /** What its owner says when they are asked. */
  answer: NotificationPermission;
  /** The address it was given, or null. */
  endpoint: string | null;
  /** The keys it was asked to take, oldest first. */
  askedWith: (string | null)[];
  /** The vendor gives no address. */
  isRefused: boolean;
}

/** A browser that can be told, with its service worker there; it has never been asked unless said otherwise. */
export function servePush(changes: Partial<KnownPush> = {}): KnownPush {
  const known: KnownPush = {
    permission: 'default',
    answer: 'granted',
    endpoint: null,
    askedWith: [],
    isRefused: false,
    ...changes,
  };
  const subscription = () => ({
    unsubscribe: async () => {
      known.endpoint = null;
      return true;
    },
    toJSON: () => ({ endpoint: known.endpoint, keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) } }),
  });
  const pushManager = {
    getSubscription: async () => (known.endpoint === null ? null : subscription()),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string | null }) => {
      known.askedWith.push(applicationServerKey);
      if (known.isRefused) throw new DOMException('Registration failed', 'AbortError');
      known.endpoint = `https://push.example/${known.askedWith.length}`;
      return subscription();
    },
  };
  const registration = { pushManager, getNotifications: async () => [] };
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal(
    'Notification',
    class {
      static get permission() {
        return known.permission;
      }
      static async requestPermission() {
        if (known.permission === 'default') known.permission = known.answer;
        return known.permission;
      }
    },
  );
  const workers = { ready: Promise.resolve(registration), getRegistration: async () => registration };
  vi.stubGlobal('navigator', withProperty(navigator, 'serviceWorker', workers));
  return known;
}

/** The same browser but for one property of its. */
function withProperty<T extends object>(original: T, name: string, value: unknown): T {
  return new Proxy(original, {
    get: (target, key) => {
      if (key === name) return value;
      const found: unknown = Reflect.get(target, key, target);
      return typeof found === 'function' ? (found.bind(target) as unknown) : found;
    },
    has: (target, key) => key === name || key in target,
  });
}
