import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Group, type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { ChoiceGroup } from '../form/Form.tsx';

const choices: { value: MantineColorScheme; label: MessageDescriptor; Icon: typeof IconSun }[] = [
  { value: 'auto', label: msg`System`, Icon: IconDeviceDesktop },
  { value: 'light', label: msg`Light`, Icon: IconSun },
  { value: 'dark', label: msg`Dark`, Icon: IconMoon },
];

/** Light, dark, or the system's setting; stored on this device. */
export function ColorSchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <ChoiceGroup
      type="radio"
      name="color-scheme"
      legend={t`Color scheme`}
      isRow="even"
      choices={choices.map(({ value, label, Icon }) => ({
        value,
        label: (
          <Group component="span" gap="0.5rem" wrap="nowrap">
            <Icon size={20} stroke={1.6} aria-hidden="true" />
            {t(label)}
          </Group>
        ),
      }))}
      chosen={[colorScheme]}
      onChange={([scheme = 'auto']) => setColorScheme(scheme)}
    />
  );
}
