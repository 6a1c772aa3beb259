import { Button } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { BarChart } from '../src/ui/chart/BarChart.tsx';
import { PieChart } from '../src/ui/chart/PieChart.tsx';
import { Avatar } from '../src/ui/data/Avatar.tsx';
import { Disclosure } from '../src/ui/data/Disclosure.tsx';
import { StatCards } from '../src/ui/data/StatCard.tsx';
import { StateList } from '../src/ui/data/Facts.tsx';
import { CountBadge, Tag } from '../src/ui/data/Tag.tsx';
import { Time } from '../src/ui/data/Time.tsx';
import { UserText } from '../src/ui/data/RichText.tsx';
import { Dialog } from '../src/ui/feedback/Dialog.tsx';
import { FormDialog } from '../src/ui/feedback/FormDialog.tsx';
import { FloatingNotice, Notice } from '../src/ui/feedback/Notice.tsx';
import { EmptyState, ErrorState, LoadingState } from '../src/ui/feedback/PageStates.tsx';
import { AgeSlider, type AgeRange } from '../src/ui/form/AgeSlider.tsx';
import { BusyButton, SubmitButton } from '../src/ui/form/BusyButton.tsx';
import { CheckField, SelectField, Switch, TextArea, TextField } from '../src/ui/form/Field.tsx';
import { ChipPicker } from '../src/ui/form/ChipPicker.tsx';
import { ChoiceGroup } from '../src/ui/form/Form.tsx';
import { SliderField } from '../src/ui/form/Slider.tsx';
import { PasswordField } from '../src/ui/form/PasswordForm.tsx';
import { SearchField } from '../src/ui/data/table/ListFilters.tsx';
import { Logo } from '../src/ui/shell/Logo.tsx';
import { Hint } from '../src/ui/layout/text-blocks.tsx';
import { BirthDateFields } from '../src/ui/steps/BirthDateFields.tsx';
import { useFields } from '../src/ui/form/use-form.ts';
import { Page, Panel } from '../src/ui/layout/Page.tsx';
import { ColorSchemeChoice } from '../src/ui/theme/ColorSchemeChoice.tsx';

const long =
  'A text that is much longer than usual, to show how the component wraps it: Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch.';
const choices = [
  { value: 'one', label: 'One' },
  { value: 'two', label: 'Two' },
  { value: 'long', label: long },
];
const nothing = () => undefined;

function Fields() {
  const [age, setAge] = useState<AgeRange | null>({ min: 25, max: 48 });
  const [amount, setAmount] = useState(4);
  const [chosen, setChosen] = useState(['one']);
  const [search, setSearch] = useState('Ada');
  return (
    <>
      <Panel title="Text fields">
        <TextField label="Empty" placeholder="Placeholder" />
        <TextField label="With a description" description={long} defaultValue={long} />
        <TextField label="With an error" error="Enter a name." required />
        <TextField label="Disabled" defaultValue="Ada" disabled />
        <TextArea label="Several lines" defaultValue={long} />
        <TextArea label="With an error" error="Write at least one sentence." />
        <PasswordField label="Password" autoComplete="current-password" defaultValue="a password" />
        <PasswordField label="With an error" autoComplete="new-password" error="Use at least 10 characters." />
        <SearchField placeholder="Search by name" value={search} onType={setSearch} onClear={() => setSearch('')} />
      </Panel>
      <Panel title="Choices">
        <SelectField label="Select" choices={choices} />
        <SelectField label="With an error" choices={choices} error="Choose one." />
        <SelectField label="Disabled" choices={choices} disabled />
        <CheckField label="Checkbox" description="With a description." defaultChecked />
        <CheckField label={long} error="Please agree." />
        <CheckField label="Disabled" disabled />
        <Switch aria-label="Switch" defaultChecked />
        <Switch aria-label="Disabled switch" disabled />
        <ChoiceGroup
          type="radio"
          name="radio"
          legend="One of several"
          choices={choices}
          chosen={chosen}
          onChange={setChosen}
        />
        <ChoiceGroup
          type="checkbox"
          name="checkbox"
          legend="Some of several, with an error"
          choices={choices}
          chosen={chosen}
          error="Choose fewer."
          onChange={setChosen}
        />
        <ChoiceGroup
          type="radio"
          name="disabled"
          legend="Disabled"
          choices={choices}
          chosen={['one']}
          isDisabled
          onChange={nothing}
        />
        <ChoiceGroup
          type="checkbox"
          name="tiles"
          legend="As tiles"
          choices={choices}
          chosen={chosen}
          isRow="tiles"
          onChange={setChosen}
        />
        <BirthDateFields fields={useFields({ day: '12', month: '4', year: '1994' })} />
        <ChipPicker
          name="chips"
          label="Chips, two at most"
          searchLabel="Search chips"
          groups={[{ title: 'Group', chips: choices }]}
          chosen={chosen}
          most={2}
          onChange={setChosen}
        />
        <AgeSlider age={age} onChange={setAge} />
        <SliderField
          label="Slider"
          words="One thumb"
          least={0}
          most={10}
          thumbs={[{ 'aria-label': 'Slider', value: amount, onChange: setAmount }]}
        />
        <ColorSchemeChoice />
      </Panel>
    </>
  );
}

function ExampleForm({ onClose }: { onClose: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  return (
    <FormDialog
      title="Dialog with a form"
      size="narrow"
      form={{ form, submit: (event) => event.preventDefault(), isPending: false, problem: 'This name is taken.' }}
      sendText="Save"
      onClose={onClose}
    >
      <TextField label="Name" data-autofocus />
    </FormDialog>
  );
}

function Feedback() {
  const [isDialogOpen, setDialogOpen] = useState(false);
  const [isFormOpen, setFormOpen] = useState(false);
  const [isNoticeShown, setNoticeShown] = useState(false);
  return (
    <>
      <Panel title="Buttons">
        <Button>Primary</Button> <Button variant="default">Default</Button> <Button variant="light">Light</Button>{' '}
        <Button variant="subtle">Subtle</Button> <Button disabled>Disabled</Button>{' '}
        <BusyButton isBusy={false} busyText="Saving …">
          Idle
        </BusyButton>{' '}
        <BusyButton isBusy busyText="Saving …">
          Busy
        </BusyButton>
        <SubmitButton text="Submit" busyText="Sending …" isBusy={false} />
        <SubmitButton text="Submit" busyText="Sending …" isBusy />
      </Panel>
      <Panel title="Notices">
        <Notice kind="info">{long}</Notice>
        <Notice kind="success">Saved.</Notice>
        <Notice kind="warning">You have one try left.</Notice>
        <Notice kind="error" action={<Button variant="default">Try again</Button>}>
          Couldn&apos;t load your likes.
        </Notice>
      </Panel>
      <Panel title="Loading, empty and failed">
        <LoadingState text="Loading …" />
        <EmptyState text="Nothing here yet" hint="What you can do about it." />
        <EmptyState text="Nothing matches your filters" onClearFilters={nothing} isFramed />
        <ErrorState text={long} onRetry={nothing} />
      </Panel>
      <Panel title="Dialogs and floating notices">
        <Button onClick={() => setDialogOpen(true)}>Open a dialog</Button>{' '}
        <Button onClick={() => setFormOpen(true)}>Open a form</Button>{' '}
        <Button variant="default" onClick={() => setNoticeShown(true)}>
          Show a floating notice
        </Button>
        {isDialogOpen && (
          <Dialog
            title="Dialog"
            onClose={() => setDialogOpen(false)}
            actions={<Button onClick={() => setDialogOpen(false)}>Close</Button>}
          >
            {long}
          </Dialog>
        )}
        {isFormOpen && <ExampleForm onClose={() => setFormOpen(false)} />}
        {isNoticeShown && (
          <FloatingNotice kind="success" onClose={() => setNoticeShown(false)}>
            Like sent
          </FloatingNotice>
        )}
      </Panel>
    </>
  );
}

function Data() {
  return (
    <>
      <Panel
        title="People, tags and counts"
        lead="A panel with a lead and an action."
        actions={<Button>Action</Button>}
      >
        <Logo /> <Avatar id="1" name="Ada" picture={null} /> <Avatar id="2" name={null} picture={null} size={64} />{' '}
        {(['positive', 'attention', 'info', 'quiet', 'accent'] as const).map((tone) => (
          <Tag key={tone} tone={tone} hasDot>
            {tone}
          </Tag>
        ))}{' '}
        <CountBadge count={3} text="3 unread" /> <CountBadge count={120} text="120 unread" />{' '}
        <Time at="2025-10-20T12:00:00.000Z" />
        <Disclosure title={long}>{long}</Disclosure>
        <UserText>{`Two lines,\nas they were typed.`}</UserText>
        <Hint>Text that supports another.</Hint>
        <StateList
          rows={[
            { id: 'one', name: 'Service', end: <Tag tone="positive">Works</Tag> },
            { id: 'two', name: long, end: <Tag tone="accent">Down</Tag> },
          ]}
        />
      </Panel>
      <StatCards
        label="Figures"
        figures={[
          { label: 'Users', value: '1,234', note: '+12% this month', Icon: IconUsers },
          { label: long, value: '0', Icon: IconUsers, tone: 'moss' },
        ]}
      />
      <Panel title="Charts">
        <BarChart
          title="Bars"
          groupName="Month"
          series={['Users', 'VIP']}
          groups={[
            { label: 'Sep', values: [120, 12] },
            { label: 'Oct', values: [180, 30] },
          ]}
        />
        <PieChart
          title="Shares"
          columns={['Slice', 'Count', 'Share']}
          slices={[
            { label: 'One', count: 3 },
            { label: 'Two', count: 1 },
          ]}
          nothingText="No data"
        />
        <PieChart title="Without data" columns={['Slice', 'Count', 'Share']} slices={[]} nothingText="No data" />
      </Panel>
    </>
  );
}

/** The shared components in their states. Only the development server has this page, at `/dev/ui`. */
export function Catalogue() {
  return (
    <Page title="Component catalogue">
      <Fields />
      <Feedback />
      <Data />
    </Page>
  );
}
