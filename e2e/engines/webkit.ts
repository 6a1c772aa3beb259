import { globSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { vi } from 'vitest';
import { dragSteps, newHome, startProgram, written, type EnginePage, type Program } from './engine.ts';

const driverWithinMs = 30_000;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Opens a browser by WebDriver (https://www.w3.org/TR/webdriver2/). */
async function open(driver: string, env: NodeJS.ProcessEnv, capabilities: object): Promise<EnginePage> {
  const port = await freePort();
  const program = startProgram('dbus-run-session', ['--', driver, `--port=${port}`], newHome(), {
    // Without hardware acceleration, the first picture never comes.
    LIBGL_ALWAYS_SOFTWARE: '1',
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    ...env,
  });

  async function send<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { value } = (await answer.json()) as { value: T };
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  }

  await vi.waitFor(() => send('GET', '/status'), { timeout: driverWithinMs, interval: 50 });
  const { sessionId } = await send<{ sessionId: string }>('POST', '/session', {
    capabilities: { alwaysMatch: capabilities },
  });
  const at = `/session/${sessionId}`;
  const elements = async (xpath: string) =>
    await send<Record<string, string>[]>('POST', `${at}/elements`, { using: 'xpath', value: xpath });

  async function found(xpath: string): Promise<Record<string, string>> {
    const [element] = await elements(xpath);
    if (element === undefined) throw new Error(`Nothing is ${xpath}`);
    return element;
  }
  const element = async (xpath: string) => `${at}/element/${Object.values(await found(xpath))[0]}`;

  async function evaluate<T>(expression: string) {
    const script = `const done = arguments[0];
        Promise.resolve().then(() => (${expression})).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value, error } = await send<{ value: T; error?: string }>('POST', `${at}/execute/async`, {
      script,
      args: [],
    });
    if (error !== undefined) throw new Error(error);
    return value;
  }

  return {
    goto: async (url) => void (await send('POST', `${at}/url`, { url })),
    evaluate,
    has: async (xpath) => (await elements(xpath)).length > 0,
    async click(xpath) {
      const at = await element(xpath);
      // The driver finds some elements in the middle of the window not interactable.
      await send('POST', `${at}/click`, {}).catch(() =>
        evaluate(`document.evaluate(${JSON.stringify(xpath)}, document, null, 9, null).singleNodeValue.click()`),
      );
    },
    async drag(xpath, px) {
      const actions = dragSteps(await found(xpath), px);
      const mouse = { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions };
      await send('POST', `${at}/actions`, { actions: [mouse] });
    },
    resize: async (width, height) => void (await send('POST', `${at}/window/rect`, { width, height })),
    type: async (xpath, text) => void (await send('POST', `${await element(xpath)}/value`, { text })),
    close: () => program.end(),
  };
}

/** Opens WebKitGTK, as a stand-in for a current Safari, at the size of a phone on a separate screen. */
export async function openWebKit(): Promise<EnginePage> {
  const screen: Program = startProgram(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'],
    newHome(),
  );
  const display = await written(screen, 3, /(\d+)\n/);
  const page = await open(
    'WebKitWebDriver',
    { DISPLAY: `:${display}` },
    {
      browserName: 'webkit-window',
      'webkitgtk:browserOptions': {
        binary: join(import.meta.dirname, 'webkit-window.py'),
        args: ['--automation'],
      },
    },
  );
  return {
    ...page,
    close: async () => {
      await page.close();
      await screen.end();
    },
  };
}

/** Opens WPE WebKit 2.38, which is as old as Safari 16.0. */
export async function openOldWebKit(): Promise<EnginePage> {
  const [binary] = globSync('/usr/lib/*/wpe-webkit-1.1/MiniBrowser');
  return await open(
    'WPEWebDriver',
    {},
    {
      'wpe:browserOptions': { binary, args: ['--automation', '--headless'] },
    },
  );
}
