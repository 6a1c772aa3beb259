/** Makes the browser save a file under this name. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the address while it handles the click, so it can be released in the next task.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
