import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dragSteps, newHome, startProgram, written, type EnginePage } from './engine.ts';

/** A microphone that hums, and none of Firefox's own start pages. */
const preferences: Record<string, unknown> = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'focusmanager.testmode': true,
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
};

type Send = <T>(method: string, parameters: object) => Promise<T>;

interface Answer {
  id: number | null;
  result?: unknown;
  error?: string;
  message?: string;
}

/** Opens a connection that speaks WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/). */
async function connect(address: string): Promise<{ send: Send; socket: WebSocket }> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (answer: Answer) => void>();
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    if (answer.id !== null) waiting.get(answer.id)?.(answer);
  });
  let last = 0;
  const send: Send = async <T>(method: string, parameters: object) => {
    const id = (last += 1);
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params: parameters }));
    const { result, error, message } = await answered;
    waiting.delete(id);
    if (error !== undefined) throw new Error(`${method}: ${error}: ${message}`);
    return result as T;
  };
  return { send, socket };
}

/** Opens Firefox in the size of a phone. */
export async function openFirefox(): Promise<EnginePage> {
  const home = newHome();
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
  writeFileSync(join(home, 'user.js'), lines.join('\n'));
  const options = ['--headless', '--no-remote', '--profile', home, '--remote-debugging-port', '0', 'about:blank'];
  const program = startProgram('firefox-esr', options, home);
  const address = await written(program, 2, /WebDriver BiDi listening on (ws:\S+)/);
  const { send, socket } = await connect(`${address}/session`);
  await send('session.new', { capabilities: {} });
  const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {});
  const context = contexts[0]?.context ?? '';
  const resize = async (width: number, height: number) =>
    void (await send('browsingContext.setViewport', { context, viewport: { width, height } }));
  await resize(390, 844);

  async function nodes(xpath: string): Promise<{ sharedId: string }[]> {
    const locator = { type: 'xpath', value: xpath };
    const found = await send<{ nodes: { sharedId: string }[] }>('browsingContext.locateNodes', { context, locator });
    return found.nodes;
  }

  /** Performs a mouse action on an element, which is first scrolled into view. */
  async function point(xpath: string, stepsAt: (origin: object) => object[]) {
    const [node] = await nodes(xpath);
    if (node === undefined) throw new Error(`Nothing is ${xpath}`);
    await send('script.callFunction', {
      functionDeclaration: "(node) => node.scrollIntoView({ block: 'center', behavior: 'instant' })",
      arguments: [node],
      awaitPromise: false,
      target: { context },
    });
    const steps = stepsAt({ type: 'element', element: node });
    await send('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions: steps }] });
  }

  const click = async (xpath: string) =>
    await point(xpath, (origin) => [
      { type: 'pointerMove', x: 0, y: 0, origin },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]);

  return {
    goto: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    async evaluate<T>(expression: string) {
      const { result, exceptionDetails } = await send<{
        result?: { value?: string };
        exceptionDetails?: { text: string };
      }>('script.evaluate', {
        expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
        awaitPromise: true,
        target: { context },
      });
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
      return JSON.parse(result?.value ?? 'null') as T;
    },
    has: async (xpath) => (await nodes(xpath)).length > 0,
    click,
    drag: (xpath, px) => point(xpath, (origin) => dragSteps(origin, px)),
    resize,
    async type(xpath, text) {
      await click(xpath);
      const keys = Array.from(text).flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value })));
      await send('input.performActions', { context, actions: [{ type: 'key', id: 'keyboard', actions: keys }] });
    },
    async close() {
      socket.close();
      await program.end();
    },
  };
}
