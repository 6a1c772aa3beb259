import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { getAdminUser } from '#contract/profiles/staff.ts';
import { serve } from '../../../test/fake-server.ts';
import { moderator } from '../../../test/fixtures/people.ts';
import { adminUser, listedUser } from '../../../test/fixtures/staff/users.ts';
import { fourUsers, openUsers, serveUsers } from '../../../test/fixtures/staff/users-page.tsx';
import { replaceProperty } from '../../../test/replaced.ts';

const [ada] = fourUsers;
if (ada === undefined) throw new Error('no users');

const view = (name: string) => screen.getByRole('button', { name: `View ${name}` });
const currentRow = () => screen.getAllByRole('row').find((row) => row.getAttribute('aria-current') === 'true');

beforeEach(() => {
  serveUsers();
  serve(getAdminUser, () => ({ data: { user: adminUser(ada) } }));
});

describe('single keys on the list of users', () => {
  it('move between the users and open one', async () => {
    const { person } = await openUsers();
    await person.keyboard('jj');
    expect(view('Bo Ek')).toHaveFocus();
    expect(currentRow()).toHaveTextContent('Bo Ek');
    await person.keyboard('kk');
    expect(view('Ada Byron')).toHaveFocus();
    await person.keyboard('{Enter}');
    expect(await screen.findByRole('dialog', { name: 'User Details' })).toBeVisible();
    await person.keyboard('j{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(currentRow()).toHaveTextContent('Ada Byron');
  });

  it('scroll to users that are not in the document', async () => {
    const scrollTo = vi.fn(function (this: HTMLElement, { top = 0 }: ScrollToOptions) {
      this.scrollTop = top;
      this.dispatchEvent(new Event('scroll'));
    });
    replaceProperty(HTMLElement.prototype, 'scrollTo', scrollTo);
    vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(60 * 64);
    const many = Array.from({ length: 60 }, (_, at) =>
      listedUser({ _id: `user-${at}`, firstName: 'No', lastName: String(at), name: `No ${at}` }),
    );
    serveUsers(many);
    const { person } = await openUsers();
    expect(screen.queryByRole('button', { name: 'View No 40' })).toBeNull();
    await person.keyboard('j'.repeat(41));
    await waitFor(() => expect(view('No 40')).toHaveFocus());
    expect(scrollTo).toHaveBeenCalled();
  });

  it('select users, until Esc or Done ends the selection', async () => {
    const { person } = await openUsers();
    await person.keyboard('x');
    expect(screen.queryByRole('checkbox')).toBeNull();
    await person.keyboard('jxjx');
    const bar = within(await screen.findByRole('group', { name: 'Selected users' }));
    expect(bar.getByText('2 selected')).toBeVisible();
    // The keys still work once a checkbox has the focus.
    await person.click(screen.getByRole('checkbox', { name: 'Select Cleo' }));
    await person.keyboard('jx');
    expect(bar.getByText('4 selected')).toBeVisible();
    await person.keyboard('{Escape}');
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.queryByRole('group', { name: 'Selected users' })).toBeNull();

    await person.click(screen.getByRole('button', { name: 'Select users' }));
    await person.click(screen.getByRole('checkbox', { name: 'Select Cleo' }));
    await person.click(screen.getByRole('button', { name: 'Done' }));
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.getByRole('button', { name: 'Select users' })).toHaveFocus();
  });

  it('select no one if the role can do nothing with them', async () => {
    const { person } = await openUsers('/users', moderator({ staffRole: 'auditor' }));
    await person.keyboard('jx');
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('focus the search, and are listed', async () => {
    const { person } = await openUsers();
    await person.keyboard('/jx');
    const search = screen.getByRole('textbox', { name: 'Search' });
    expect(search).toHaveFocus();
    expect(search).toHaveValue('jx');
    expect(search).toHaveAttribute('placeholder', 'Search by name or email...');
    await person.clear(search);
    search.blur();
    await person.keyboard('?');
    const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
    expect(dialog.getAllByRole('term').map((term) => term.textContent)).toEqual([
      'j',
      'k',
      'Enter',
      'x',
      'Esc',
      '/',
      'Ctrl K',
      '?',
    ]);
  });
});
