import { describe, expect, it } from 'vitest';
import { serviceForTests } from './support/harness.ts';
import { people, see } from './support/visitor.ts';

const service = serviceForTests();

describe('the landing page', () => {
  it('is a complete document with prices that works without the app’s script and links to joining', async () => {
    const { page } = await service.visitor({ width: 360, height: 740 });
    const scripts: string[] = [];
    page.on(
      'request',
      (request) => request.resourceType() === 'script' && scripts.push(new URL(request.url()).pathname),
    );
    await page.goto('/app');
    await see(page, 'Dating that grows on you', '$14.99', /30 likes a day/);
    expect(scripts).toEqual(['/landing.js']);
    expect(await page.locator('meta[property="og:image"]').getAttribute('content')).toMatch(/^http.*\/og\.jpg$/);
    await page.getByRole('link', { name: 'Join for free' }).first().click();
    await page.getByRole('heading', { level: 1, name: "What's your email?" }).waitFor();
    await page.getByRole('link', { name: 'Heartwood', exact: true }).click();
    await see(page, 'Dating that grows on you');
  });

  it('switches to another language, which the app then uses too', async () => {
    const { page } = await service.visitor({ width: 360, height: 740 });
    await page.goto('/app');
    await page.getByRole('link', { name: 'العربية' }).click();
    await page.locator('html[dir=rtl]').waitFor();
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await see(page, 'Dating, das dir ans Herz wächst');
    await page.goto('/app');
    await see(page, 'Dating, das dir ans Herz wächst', /14,99\s\$/);
    await page.getByRole('link', { name: 'Kostenlos registrieren' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Wie lautet deine E-Mail?' }).waitFor();
  });

  it('redirects members to Discover', async () => {
    const { page } = await service.visitor({ as: people.ada });
    await page.goto('/app');
    await page.waitForURL((url) => url.pathname === '/app/discover');
  });
});
