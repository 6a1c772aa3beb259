import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { sendMessage } from '#contract/messages/messages.ts';
import { received } from '../../../test/fake-server.ts';
import { openConversation, serveConversations } from '../../../test/fixtures/conversations.ts';
import { openUsers, serveUsers } from '../../../test/fixtures/staff/users-page.tsx';
import { currentAddress } from '../../../test/render-app.tsx';

const composing = [
  ['while it composes', { isComposing: true }],
  ['in Safari, where the composition has ended', { keyCode: 229 }],
] as const;

describe.each(composing)('keys of an input method %s', (_, ofInputMethod) => {
  it('neither send a message nor stop editing', async () => {
    serveConversations({ Bo: [] });
    const { person, field } = await openConversation();
    await person.type(field, '日本');
    fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true, ...ofInputMethod });
    await person.type(field, '語{Control>}{Enter}{/Control}');
    await waitFor(() => expect(received(sendMessage).map(({ body }) => body.text)).toEqual(['日本語']));
  });

  it('neither choose, mark nor close anything in the command palette', async () => {
    serveUsers();
    const { person } = await openUsers();
    await person.keyboard('{Control>}k{/Control}');
    const field = await screen.findByRole('combobox', { name: 'Name, id or command' });
    const marked = field.getAttribute('aria-activedescendant');
    for (const key of ['ArrowDown', 'Enter', 'Escape']) fireEvent.keyDown(field, { key, ...ofInputMethod });
    expect(field).toBeVisible();
    expect(field).toHaveAttribute('aria-activedescendant', marked);
    expect(currentAddress()).toBe('/users');
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(field).not.toBeInTheDocument();
  });
});
