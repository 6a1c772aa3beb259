import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeAdminUser, getAdminUser } from '#contract/profiles/staff.ts';
import { queryClient } from '../../api/query-client.ts';
import { RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { moderator } from '../../../test/fixtures/people.ts';
import { currentAddress } from '../../../test/render-app.tsx';
import { adminUser } from '../../../test/fixtures/staff/users.ts';
import { fourUsers, openUsers, serveUsers, shownNames } from '../../../test/fixtures/staff/users-page.tsx';

const [ada, , , nobody] = fourUsers;

const facts = () =>
  Object.fromEntries(
    within(screen.getByRole('dialog'))
      .getAllByRole('term')
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  );

beforeEach(() => {
  serveUsers();
  serve(getAdminUser, ({ params }) => {
    const listed = fourUsers.find(({ _id }) => _id === params.id);
    if (!listed) throw new Refusal('NOT_FOUND', 'There is no such user');
    return { data: { user: adminUser(listed) } };
  });
});

describe('the details of a user', () => {
  it('open above the list with all fields of the specification', async () => {
    const { person } = await openUsers();
    await person.click(screen.getByRole('button', { name: 'View Ada Byron' }));
    expect(await screen.findByRole('dialog', { name: 'User Details' })).toBeVisible();
    expect(facts()).toMatchObject({
      Email: 'ada@heartwood.test',
      'User ID': ada!._id,
      'Join Date': 'Oct 4, 2025',
      Age: '31',
      Gender: 'Woman',
      Location: 'Lisbon, Portugal',
      'Profile Complete': 'Yes',
      Bio: 'N/A',
    });
    expect(currentAddress()).toBe(`/users?user=${ada!._id}`);
  });

  it('show a placeholder for missing values', async () => {
    await openUsers(`/users?user=${nobody!._id}`);
    await screen.findByRole('dialog');
    expect(within(screen.getByRole('dialog')).getByText('Unknown')).toBeVisible();
    expect(facts()).toMatchObject({
      'Last Active': 'Never',
      Age: 'N/A',
      Gender: 'N/A',
      Location: 'N/A',
      'Profile Complete': 'No',
      Bio: 'N/A',
    });
  });

  it('close on the button and Escape and restore the address', async () => {
    const { person } = await openUsers('/users?sortBy=name');
    await person.click(screen.getByRole('button', { name: 'View Ada Byron' }));
    await person.click(await screen.findByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(currentAddress()).toBe('/users?sortBy=name');
    await person.click(screen.getByRole('button', { name: 'View Ada Byron' }));
    await screen.findByRole('dialog');
    await person.keyboard('{Escape}');
    await waitFor(() => expect(currentAddress()).toBe('/users?sortBy=name'));
  });

  it('show when the user does not exist', async () => {
    const { person } = await openUsers('/users?user=gone');
    expect(await screen.findByRole('alert')).toHaveTextContent('Error loading user: There is no such user');
    await person.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(currentAddress()).toBe('/users'));
  });

  it('have no Edit User button for moderators', async () => {
    const can = { act: false, edit: false, activate: false, deactivate: false, changeRole: false };
    serve(getAdminUser, () => ({ data: { user: adminUser(ada!, { can }) } }));
    await openUsers(`/users?user=${ada!._id}`, moderator());
    await screen.findByRole('dialog');
    await waitFor(() => expect(received(getAdminUser)).toHaveLength(1));
    expect(screen.queryByRole('button', { name: 'Edit User' })).toBeNull();
  });
});

describe('editing a user', () => {
  async function openEdit() {
    const app = await openUsers(`/users?user=${ada!._id}`);
    await app.person.click(await screen.findByRole('button', { name: 'Edit User' }));
    const dialog = await screen.findByRole('dialog', { name: 'Edit Ada Byron' });
    await within(dialog).findByLabelText('First name');
    const field = (name: string | RegExp) => within(dialog).getByLabelText(name);
    const retype = async (name: string, text: string) => {
      await app.person.clear(field(name));
      if (text !== '') await app.person.type(field(name), text);
    };
    const save = () => app.person.click(within(dialog).getByRole('button', { name: 'Save changes' }));
    return { ...app, field, retype, save };
  }

  it('sends the changes with the reason, and shows them everywhere', async () => {
    serve(changeAdminUser, ({ body }) => ({
      data: { user: adminUser({ ...ada!, firstName: body.firstName ?? null, name: 'Augusta Byron' }) },
    }));
    const { person, field, retype, save } = await openEdit();
    await retype('First name', 'Augusta');
    await person.selectOptions(field('Role'), 'moderator');
    await person.type(field(/^Reason/), 'By their letter');
    await save();
    expect(await screen.findByText('The changes are saved.')).toBeVisible();
    expect(received(changeAdminUser)[0]?.body).toEqual({
      firstName: 'Augusta',
      staffRole: 'moderator',
      was: { firstName: 'Ada', staffRole: null },
      reason: 'By their letter',
    });
    await person.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.getByText('Augusta Byron')).toBeVisible());
    expect(shownNames()[0]).toBe('');
  });

  it('requires a reason and a change', async () => {
    const { retype, field, save } = await openEdit();
    await save();
    expect(screen.getByRole('alert')).toHaveTextContent('No changes to save.');
    await retype('Last name', 'King');
    await save();
    expect(field(/^Reason/)).toHaveAccessibleDescription(/This is required/);
    expect(field(/^Reason/)).toHaveFocus();
    expect(received(changeAdminUser)).toEqual([]);
  });

  it('shows a refusal at its field', async () => {
    serve(changeAdminUser, () => {
      throw new Refusal('INVALID_INPUT', 'Check the fields', {
        errors: [{ field: 'location.country', msg: 'We do not know this country' }],
      });
    });
    const { person, field, retype, save } = await openEdit();
    await retype('Country', 'Nowhere');
    await person.type(field(/^Reason/), 'x');
    await save();
    await waitFor(() => expect(field('Country')).toHaveAccessibleDescription('We do not know this country'));
  });

  it('shows other refusals and keeps typed text', async () => {
    serve(changeAdminUser, () => {
      throw new Refusal('LAST_ADMINISTRATOR', 'This is the last administrator');
    });
    const { person, field, save, unmount } = await openEdit();
    await person.selectOptions(field('Role'), 'moderator');
    await person.type(field(/^Reason/), 'Too much power');
    await save();
    expect(await screen.findByRole('alert')).toHaveTextContent('This is the last administrator');
    const address = currentAddress();
    unmount();
    await openUsers(address);
    expect(await screen.findByLabelText(/^Reason/)).toHaveValue('Too much power');
    expect(screen.getByLabelText('Role')).toHaveValue('moderator');
  });

  it('shows a server error', async () => {
    serve(changeAdminUser, () => {
      throw new RawAnswer(500, '');
    });
    const { person, field, retype, save } = await openEdit();
    await retype('City', 'Porto');
    await person.type(field(/^Reason/), 'x');
    await save();
    expect(await screen.findByRole('alert')).toHaveTextContent('Server error: Please try again later.');
  });

  it('can be canceled', async () => {
    const { person, retype } = await openEdit();
    await retype('City', 'Porto');
    await person.click(screen.getByRole('button', { name: 'Cancel' }));
    await person.click(await screen.findByRole('button', { name: 'Edit User' }));
    expect(await screen.findByLabelText('City')).toHaveValue('Lisbon');
  });

  it('does not revert what a colleague changed while a draft was kept', async () => {
    const { person, field, retype, unmount } = await openEdit();
    await retype('Last name', 'King');
    await person.type(field(/^Reason/), 'By their letter');
    const address = currentAddress();
    unmount();
    queryClient.clear();
    serve(getAdminUser, () => ({ data: { user: adminUser(ada!, { bio: 'By a colleague', lastName: 'Lovelace' }) } }));
    serve(changeAdminUser, () => ({ data: { user: adminUser(ada!) } }));
    await openUsers(address);
    expect(await screen.findByLabelText('Bio')).toHaveValue('By a colleague');
    expect(screen.getByLabelText('Last name')).toHaveValue('King');
    await person.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('The changes are saved.')).toBeVisible();
    expect(received(changeAdminUser)[0]?.body).toEqual({
      lastName: 'King',
      was: { lastName: 'Byron' },
      reason: 'By their letter',
    });
  });

  describe('an edit after a colleague changed the same fields', () => {
    const rome = { city: 'Rome', country: 'Italy' };
    const can = { ...ada!.can, changeRole: false };
    const theirs = adminUser(ada!, { lastName: 'Lovelace', location: rome, can });
    /** Waits until the user is shown as the colleague left them, without a field for the role. */
    const reloaded = () => waitFor(() => expect(screen.queryByLabelText('Role')).toBeNull());

    async function collide() {
      let isRefused = false;
      serve(changeAdminUser, ({ body }) => {
        if (isRefused) return { data: { user: adminUser(theirs, { lastName: body.lastName ?? null }) } };
        isRefused = true;
        serve(getAdminUser, () => ({ data: { user: theirs } }));
        throw new Refusal('CONFLICT', 'Someone else changed this user since you opened them', {
          data: {
            conflicts: [
              { field: 'lastName', current: 'Lovelace', given: 'King' },
              { field: 'location', current: rome, given: { city: 'Porto', country: 'Portugal' } },
            ],
          },
        });
      });
      const opened = await openEdit();
      await opened.retype('Last name', 'King');
      await opened.retype('City', 'Porto');
      await opened.person.type(opened.field(/^Reason/), 'By their letter');
      await opened.save();
      const group = await screen.findByRole('group', { name: /A colleague changed this user while you were editing/ });
      return { ...opened, group };
    }

    it('shows both values of each field and can overwrite them', async () => {
      const { person, group } = await collide();
      expect(group).toHaveFocus();
      expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull();
      expect(
        within(group)
          .getAllByRole('definition')
          .map((value) => value.textContent),
      ).toEqual(['Lovelace', 'King', 'Rome, Italy', 'Porto, Portugal']);
      const labels = within(group).getAllByRole('term');
      expect(labels.map((label) => label.textContent).slice(0, 2)).toEqual(["Your colleague's", 'Yours']);
      expect(screen.queryByRole('alert')).toBeNull();
      await person.click(within(group).getByRole('button', { name: 'Overwrite and save' }));
      expect(await screen.findByText('The changes are saved.')).toBeVisible();
      expect(received(changeAdminUser)[1]?.body).toEqual({
        lastName: 'King',
        location: { city: 'Porto', country: 'Portugal' },
        was: { lastName: 'Lovelace', location: rome },
        reason: 'By their letter',
      });
    });

    it('can be saved as usual after keeping the colleague’s values', async () => {
      const { person, save, group } = await collide();
      await person.click(within(group).getByRole('button', { name: 'Keep theirs: City and country' }));
      await person.click(within(group).getByRole('button', { name: 'Keep theirs: Last name' }));
      expect(group).not.toBeInTheDocument();
      await reloaded();
      await save();
      expect(await screen.findByText('No changes to save.')).toBeVisible();
      expect(received(changeAdminUser)).toHaveLength(1);
    });

    it('can keep the colleague’s value of one field and overwrite the other', async () => {
      const { person, field, group } = await collide();
      const keep = 'Keep theirs: City and country';
      await person.click(within(group).getByRole('button', { name: keep }));
      expect(field('City')).toHaveValue('Rome');
      expect(field('City')).toHaveFocus();
      expect(field('Country')).toHaveValue('Italy');
      expect(within(group).queryByRole('button', { name: keep })).toBeNull();
      await reloaded();
      await person.click(within(group).getByRole('button', { name: 'Overwrite and save' }));
      expect(await screen.findByText('The changes are saved.')).toBeVisible();
      expect(received(changeAdminUser)[1]?.body).toEqual({
        lastName: 'King',
        was: { lastName: 'Lovelace' },
        reason: 'By their letter',
      });
    });
  });
});
