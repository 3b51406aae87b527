// SPDX-License-Identifier: GPL-2.0-only
/* knob_files.c - files of debugfs: the few kinds kernel/sched/debug.c makes, each a knob */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include "kit.h"

/* what the kernel takes for a dentry */
struct dir {
	char path[64]; /* from the scheduler's folder on, with a slash at its end */
	bool closed; /* no knobs in there: domains are the machine's, and made anew with each change */
};

static const struct dir *dir_of(const struct dentry *dentry)
{
	static const struct dir top;

	return dentry ? (const struct dir *)dentry : &top;
}

struct dentry *debugfs_create_dir(const char *name, struct dentry *parent)
{
	struct dir *dir = kit_alloc(sizeof(*dir));

	if (parent)
		snprintf(dir->path, sizeof(dir->path), "%s%s/", dir_of(parent)->path, name);
	dir->closed = dir_of(parent)->closed || !strcmp(name, "domains");
	return (struct dentry *)dir;
}

void debugfs_remove(struct dentry *dentry)
{
}

void debugfs_lookup_and_remove(const char *name, struct dentry *parent)
{
}

struct dentry *debugfs_lookup(const char *name, struct dentry *parent)
{
	return NULL;
}

static void add(const char *name, umode_t mode, struct dentry *parent,
		int (*set)(const struct kit_knob *, char *), void *data, const void *how)
{
	char path[128];

	if (dir_of(parent)->closed || !(mode & 0200))
		return;
	snprintf(path, sizeof(path), "%s%s", dir_of(parent)->path, name);
	kit_knob_add(path, set, data, how);
}

static int set_u32(const struct kit_knob *knob, char *value)
{
	return kstrtou32(value, 0, knob->data);
}

static int set_u64(const struct kit_knob *knob, char *value)
{
	return kstrtou64(value, 0, knob->data);
}

static int set_bool(const struct kit_knob *knob, char *value)
{
	return kstrtobool(value, knob->data);
}

void debugfs_create_u32(const char *name, umode_t mode, struct dentry *parent, u32 *value)
{
	add(name, mode, parent, set_u32, value, NULL);
}

void debugfs_create_u64(const char *name, umode_t mode, struct dentry *parent, u64 *value)
{
	add(name, mode, parent, set_u64, value, NULL);
}

void debugfs_create_ulong(const char *name, umode_t mode, struct dentry *parent,
			  unsigned long *value)
{
	add(name, mode, parent, set_u64, value, NULL);
}

void debugfs_create_bool(const char *name, umode_t mode, struct dentry *parent, bool *value)
{
	add(name, mode, parent, set_bool, value, NULL);
}

void debugfs_create_str(const char *name, umode_t mode, struct dentry *parent, char **value)
{
}

/* A write as a user's: open, write, close. */
static int set_file(const struct kit_knob *knob, char *value)
{
	const struct file_operations *fops = knob->how;
	struct inode *inode = kit_alloc(sizeof(*inode));
	struct file *file = kit_alloc(sizeof(*file));
	loff_t pos = 0;
	ssize_t ret;

	init_rwsem(&inode->i_rwsem);
	inode->i_private = knob->data;
	file->f_inode = inode;
	ret = fops->open(inode, file);
	if (!ret) {
		ret = fops->write(file, (const char __user *)value, strlen(value), &pos);
		if (fops->release)
			fops->release(inode, file);
	}
	kit_free(file);
	kit_free(inode);
	return ret < 0 ? ret : 0;
}

static struct dentry *file_new(const char *name, umode_t mode, struct dentry *parent, void *data,
			       const struct file_operations *fops)
{
	if (fops->open && fops->write)
		add(name, mode, parent, set_file, data, fops);
	return NULL;
}

#if SINCE(6, 14)
struct dentry *debugfs_create_file_full(const char *name, umode_t mode, struct dentry *parent,
					void *data, const void *aux,
					const struct file_operations *fops)
{
	return file_new(name, mode, parent, data, fops);
}
#elif SINCE(6, 13)
struct dentry *debugfs_create_file_full(const char *name, umode_t mode, struct dentry *parent,
					void *data, const struct file_operations *fops)
{
	return file_new(name, mode, parent, data, fops);
}
#else
struct dentry *debugfs_create_file(const char *name, umode_t mode, struct dentry *parent,
				   void *data, const struct file_operations *fops)
{
	return file_new(name, mode, parent, data, fops);
}
#endif

struct dentry *debugfs_create_file_unsafe(const char *name, umode_t mode, struct dentry *parent,
					  void *data, const struct file_operations *fops)
{
	return file_new(name, mode, parent, data, fops);
}

int simple_open(struct inode *inode, struct file *file)
{
	file->private_data = inode->i_private;
	return 0;
}

ssize_t debugfs_write_file_bool(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	return kstrtobool((__force const char *)from, file->private_data) ?: (ssize_t)n;
}
