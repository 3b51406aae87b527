#include "kit.h"
void kit_numa_task(struct task_struct *task){}
void kit_numa_task_end(struct task_struct *task){}
void kit_numa_fault(struct core *core, uint32_t cpu, const struct core_fault *fault){}
