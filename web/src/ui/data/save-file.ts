/** Has the browser save bytes under a name. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the address when it handles the click, so it can be released in the next task.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
